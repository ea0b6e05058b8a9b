import { render } from 'preact';
import { AdminApp } from './app.tsx';
import { initialLanguage, loadMessages } from './messages/language.ts';
import { applyTheme, storedTheme } from './shell/theme.ts';

applyTheme(storedTheme());
const language = initialLanguage();
const messages = await loadMessages(language);
render(<AdminApp initial={{ language, messages }} />, document.querySelector('#page')!);
