import type { MonotonicTime } from '@lintel/access-core/monotonic-time';

/*
 * Readers that only send text send the characters of one reading in a row, and then the end of the line. An unfinished
 * text must not become the beginning of another one.
 */

export interface TypedTextLimits {
  readonly longestText: number;
  /** The longest pause between two characters of one text. */
  readonly longestGapMs: number;
}

export interface TypedTextResult {
  /** The complete text; null until its end, and for a text that was dropped. */
  readonly text: string | null;
  /** A text was dropped, because it was unfinished, too long or had characters that are not allowed. */
  readonly hasDropped: boolean;
}

/** Collects the characters of one text. */
export class TypedTextCollector {
  readonly #limits: TypedTextLimits;
  #text = '';
  #lastAt: MonotonicTime | null = null;
  /** Everything up to the end of the text is dropped. */
  #isSpoilt = false;

  constructor(limits: TypedTextLimits) {
    this.#limits = limits;
  }

  reset(): void {
    this.#text = '';
    this.#lastAt = null;
    this.#isSpoilt = false;
  }

  /** `undefined`: a character that is not allowed. */
  add(character: string | undefined, now: MonotonicTime): TypedTextResult {
    const hasDropped = this.#dropUnfinished(now);
    this.#lastAt = now;
    if (character === undefined || this.#text.length >= this.#limits.longestText) this.spoil(now);
    else if (!this.#isSpoilt) this.#text += character;
    return { text: null, hasDropped };
  }

  /** Characters were lost. */
  spoil(now: MonotonicTime): void {
    this.#isSpoilt = true;
    this.#text = '';
    this.#lastAt = now;
  }

  end(now: MonotonicTime): TypedTextResult {
    const hasDropped = this.#dropUnfinished(now) || this.#isSpoilt;
    const text = this.#isSpoilt || this.#text === '' ? null : this.#text;
    this.reset();
    return { text, hasDropped };
  }

  #dropUnfinished(now: MonotonicTime): boolean {
    if (this.#lastAt === null || now - this.#lastAt <= this.#limits.longestGapMs) return false;
    this.reset();
    return true;
  }
}
