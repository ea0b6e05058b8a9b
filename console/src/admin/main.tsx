import { render } from 'preact';
import { AdminApp } from './app.tsx';
import { initialLanguage, loadMessages } from './messages/language.ts';
import { applyTheme, storedTheme } from './shell/theme.ts';

/** The page of an empty bridge is not part of the console. */
const isFirstRun = window.location.pathname === '/setup';

applyTheme(storedTheme());
const language = initialLanguage();
const messages = await loadMessages(language);
const App = isFirstRun ? (await import('./first-run/first-run.tsx')).FirstRunApp : AdminApp;
render(<App initial={{ language, messages }} />, document.querySelector('#page')!);
