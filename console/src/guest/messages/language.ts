import { germanGuestMessages } from './german.ts';
import { spanishGuestMessages } from './spanish.ts';
import { englishGuestMessages, type GuestMessages } from './english.ts';

const messagesByLanguage: ReadonlyMap<string, GuestMessages> = new Map([
  ['en', englishGuestMessages],
  ['es', spanishGuestMessages],
  ['de', germanGuestMessages],
]);

export interface GuestLanguage {
  /** The full tag, for example `es-MX`, for date formats. */
  readonly tag: string;
  readonly messages: GuestMessages;
}

/** Selects the first supported language, and English by default. */
export const selectGuestLanguage = (preferred: readonly (string | null)[]): GuestLanguage => {
  for (const tag of preferred) {
    const messages = messagesByLanguage.get(tag?.split('-')[0]?.toLowerCase() ?? '');
    if (tag !== null && messages !== undefined) return { tag, messages };
  }
  return { tag: 'en', messages: englishGuestMessages };
};
