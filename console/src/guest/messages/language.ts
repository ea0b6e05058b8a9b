import { german } from './german.ts';
import { spanish } from './spanish.ts';
import { english, type Messages } from './english.ts';

const messagesByLanguage: ReadonlyMap<string, Messages> = new Map([
  ['en', english],
  ['es', spanish],
  ['de', german],
]);

export interface Language {
  /** The full tag, for example `es-MX`, for date formats. */
  readonly tag: string;
  readonly messages: Messages;
}

/** Selects the first supported language, and English by default. */
export const selectLanguage = (preferred: readonly (string | null)[]): Language => {
  for (const tag of preferred) {
    const messages = messagesByLanguage.get(tag?.split('-')[0]?.toLowerCase() ?? '');
    if (tag !== null && messages !== undefined) return { tag, messages };
  }
  return { tag: 'en', messages: english };
};
