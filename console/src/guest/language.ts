import { german } from './messages-de.ts';
import { spanish } from './messages-es.ts';
import { english, type Messages } from './messages.ts';

const tables: ReadonlyMap<string, Messages> = new Map([
  ['en', english],
  ['es', spanish],
  ['de', german],
]);

export interface Language {
  /** For dates: the whole tag, such as `es-MX`. */
  readonly tag: string;
  readonly words: Messages;
}

/** The first that there are words for; English otherwise. */
export const languageOf = (preferred: readonly (string | null)[]): Language => {
  for (const tag of preferred) {
    const words = tables.get(tag?.split('-')[0]?.toLowerCase() ?? '');
    if (tag !== null && words !== undefined) return { tag, words };
  }
  return { tag: 'en', words: english };
};
