import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import { TypedTextCollector, type TypedTextResult } from './typed-text-collector.ts';
import { EV_KEY, EV_SYN, type InputEvent, KEY_PRESSED_VALUE, SYN_DROPPED } from '../evdev/input-event.ts';
import { ENTER_KEY_CODES, NUM_LOCK_KEY_CODE, SHIFT_KEY_CODES, getUsKeyboardCharacter } from './us-keyboard.ts';

export interface InputEventTextOptions {
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
