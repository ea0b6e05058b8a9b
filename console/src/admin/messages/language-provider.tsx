import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AdminMessages } from './en.ts';
import {
  type LanguageCode,
  LanguageContext,
  loadAdminMessages,
  selectBrowserLocale,
  storeLanguage,
} from './language.ts';

export interface LoadedLanguage {
  readonly language: LanguageCode;
  readonly messages: AdminMessages;
}

export const LanguageProvider = (props: { readonly initial: LoadedLanguage; readonly children: ComponentChildren }) => {
  const [{ language, messages }, setLoaded] = useState(props.initial);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const select = (code: LanguageCode): void => {
    storeLanguage(code);
    void loadAdminMessages(code).then(loaded => setLoaded({ language: code, messages: loaded }));
  };
  return (
    <LanguageContext.Provider value={{ code: language, locale: selectBrowserLocale(language), messages, select }}>
      {props.children}
    </LanguageContext.Provider>
  );
};
