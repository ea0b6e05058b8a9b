import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import * as editConflict from './en/edit-conflict.ts';
import * as preview from './en/keypad-preview.ts';
import * as rules from './en/input-rules-editor.ts';

/** Texts of any language: `string` in place of the English text. */
type TextsOf<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer V) => string
      ? (...values: V) => string
      : TextsOf<T[K]>;
};

const english = { rules, preview, editConflict };

export type InputRulesEditorTexts = TextsOf<typeof english>;

/** English unless an app provides another language. */
const RulesTextsContext = createContext<InputRulesEditorTexts>(english);
export const InputRulesTextsProvider = RulesTextsContext.Provider;
export const useInputRulesTexts = (): InputRulesEditorTexts => useContext(RulesTextsContext);
