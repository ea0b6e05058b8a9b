import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import { EV_KEY, EV_SYN, type InputEvent, KEY_PRESSED_VALUE, SYN_DROPPED } from './input-event.ts';

/* Key codes of the kernel with the characters of a US keyboard, which readers that act as a keyboard use by default. */

const numbered = (codes: readonly number[], characters: string): (readonly [number, string])[] =>
  codes.map((code, index) => [code, characters[index]!]);

const codesFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);

const plain: ReadonlyMap<number, string> = new Map([
  ...numbered(codesFrom(2, 12), '1234567890-='),
  ...numbered(codesFrom(16, 12), 'qwertyuiop[]'),
  ...numbered(codesFrom(30, 12), "asdfghjkl;'`"),
  ...numbered(codesFrom(43, 11), '\\zxcvbnm,./'),
  ...numbered([79, 80, 81, 75, 76, 77, 71, 72, 73, 82], '1234567890'),
]);

const shifted: ReadonlyMap<number, string> = new Map([
  ...numbered(codesFrom(2, 12), '!@#$%^&*()_+'),
  ...numbered(codesFrom(16, 12), 'QWERTYUIOP{}'),
  ...numbered(codesFrom(30, 12), 'ASDFGHJKL:"~'),
  ...numbered(codesFrom(43, 11), '|ZXCVBNM<>?'),
]);

const ENTER_KEY_CODES: ReadonlySet<number> = new Set([28, 96]);
const SHIFT_KEY_CODES: ReadonlySet<number> = new Set([42, 54]);
const NUM_LOCK_KEY_CODE = 69;

/** Undefined for keys without a character. */
const getUsKeyboardCharacter = (code: number, isShifted: boolean): string | undefined =>
  (isShifted ? shifted : plain).get(code);

interface InputEventTextOptions {
  readonly longestText: number;
  readonly isAllowed: (character: string) => boolean;
  /** False for numbers, because some readers press Shift first. */
  readonly usesShift: boolean;
}

/** Readers type one character every few milliseconds; a person does not. */
const LONGEST_GAP_MS = 200;
const KEY_RELEASED_VALUE = 0;
const NOTHING: TypedTextResult = { text: null, hasDropped: false };

/** The text that a reader types like a keyboard, up to Enter. */
export class InputEventTextDecoder {
  readonly #text: TypedTextCollector;
  readonly #options: InputEventTextOptions;
  readonly #pressedShiftKeys = new Set<number>();

  constructor(options: InputEventTextOptions) {
    this.#options = options;
    this.#text = new TypedTextCollector({ longestText: options.longestText, longestGapMs: LONGEST_GAP_MS });
  }

  reset(): void {
    this.#text.reset();
    this.#pressedShiftKeys.clear();
  }

  take({ type, code, value }: InputEvent, now: MonotonicTime): TypedTextResult {
    if (type === EV_SYN && code === SYN_DROPPED) this.#text.spoil(now);
    if (type !== EV_KEY) return NOTHING;
    if (SHIFT_KEY_CODES.has(code)) {
      if (value === KEY_RELEASED_VALUE) this.#pressedShiftKeys.delete(code);
      else this.#pressedShiftKeys.add(code);
      return NOTHING;
    }
    if (value !== KEY_PRESSED_VALUE || code === NUM_LOCK_KEY_CODE) return NOTHING;
    if (ENTER_KEY_CODES.has(code)) return this.#text.end(now);
    const { usesShift, isAllowed } = this.#options;
    const character = getUsKeyboardCharacter(code, usesShift && this.#pressedShiftKeys.size > 0);
    return this.#text.add(character === undefined || !isAllowed(character) ? undefined : character, now);
  }
}

/*
 * Readers that only send text send the characters of one reading in a row, and then the end of the line. An unfinished
 * text must not become the beginning of another one.
 */

interface TypedTextLimits {
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
class TypedTextCollector {
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
