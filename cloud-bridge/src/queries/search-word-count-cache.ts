const MAX_WORDS = 1000;
/** Then the word is counted again. */
const MAX_USES = 50;

/**
 * Remembers how many members have a word, because every letter that a user types and every page repeats the same words. The
 * number decides only how a page is read: an outdated one makes a search slower, but not wrong.
 */
export class SearchWordCountCache {
  readonly #counts = new Map<string, { readonly count: number; uses: number }>();

  /** Undefined if the word has to be counted. */
  take(key: string): number | undefined {
    const known = this.#counts.get(key);
    if (known === undefined) return undefined;
    known.uses += 1;
    if (known.uses >= MAX_USES) this.#counts.delete(key);
    return known.count;
  }

  keep(key: string, count: number): void {
    // A word without members may get one at any time.
    if (count === 0) return;
    const [oldest] = this.#counts.keys();
    if (oldest !== undefined && this.#counts.size >= MAX_WORDS) this.#counts.delete(oldest);
    this.#counts.set(key, { count, uses: 0 });
  }
}
