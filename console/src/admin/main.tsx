import { render } from 'preact';
import { AdminApp } from './admin-app.tsx';
import { selectInitialLanguage, loadAdminMessages } from './messages/language.ts';
import { applyTheme, readStoredTheme } from './shell/theme.ts';

/** The page of an empty bridge is not part of the console. */
const isFirstRun = window.location.pathname === '/setup';

applyTheme(readStoredTheme());
const language = selectInitialLanguage();
const messages = await loadAdminMessages(language);
const App = isFirstRun ? (await import('./first-run/create-first-account.tsx')).FirstRunApp : AdminApp;
render(<App initial={{ language, messages }} />, document.querySelector('#page')!);
