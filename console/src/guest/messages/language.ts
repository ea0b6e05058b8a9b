import { germanMessages } from './german.ts';
import { spanishMessages } from './spanish.ts';
import { englishMessages, type GuestMessages } from './english.ts';

const messagesByLanguage: ReadonlyMap<string, GuestMessages> = new Map([
  ['en', englishMessages],
  ['es', spanishMessages],
  ['de', germanMessages],
]);

export interface Language {
  /** The full tag, for example `es-MX`, for date formats. */
  readonly tag: string;
  readonly messages: GuestMessages;
}

/** Selects the first supported language, and English by default. */
export const selectLanguage = (preferred: readonly (string | null)[]): Language => {
  for (const tag of preferred) {
    const messages = messagesByLanguage.get(tag?.split('-')[0]?.toLowerCase() ?? '');
    if (tag !== null && messages !== undefined) return { tag, messages };
  }
  return { tag: 'en', messages: englishMessages };
};
