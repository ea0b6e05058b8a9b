import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AdminMessages } from './en.ts';

export const languages = ['en', 'de', 'es'] as const;
export type LanguageCode = (typeof languages)[number];

export const languageNames: Readonly<Record<LanguageCode, string>> = { en: 'English', de: 'Deutsch', es: 'Español' };

/** Each language is loaded when it is used. */
const loaders: Readonly<Record<LanguageCode, () => Promise<{ readonly adminMessages: AdminMessages }>>> = {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
};

export const loadAdminMessages = async (language: LanguageCode): Promise<AdminMessages> =>
  (await loaders[language]()).adminMessages;

const STORAGE_KEY = 'lintel-language';

const isLanguage = (text: string | null | undefined): text is LanguageCode => languages.includes(text as LanguageCode);

/** The language that the user selected in this browser, else the first supported language of the browser. */
export const selectInitialLanguage = (): LanguageCode => {
  const preferred = [localStorage.getItem(STORAGE_KEY), ...navigator.languages.map(tag => tag.split('-')[0])];
  return preferred.find(isLanguage) ?? 'en';
};

export const storeLanguage = (language: LanguageCode): void => localStorage.setItem(STORAGE_KEY, language);

export interface AdminLanguage {
  readonly code: LanguageCode;
  /** For dates and numbers: the regional form that the browser prefers, for example `en-GB`. */
  readonly locale: string;
  readonly messages: AdminMessages;
  readonly select: (language: LanguageCode) => void;
}

export const selectBrowserLocale = (language: LanguageCode): string =>
  navigator.languages.find(tag => tag.split('-')[0] === language) ?? language;

export const LanguageContext = createContext<AdminLanguage | null>(null);

export const useLanguage = (): AdminLanguage => {
  const language = useContext(LanguageContext);
  if (language === null) throw new Error('No language is loaded');
  return language;
};

export const useMessages = (): AdminMessages => useLanguage().messages;
