import type { MonotonicTime } from '@lintel/access-core/monotonic';
import { EV_KEY, EV_SYN, type InputEvent, KEY_PRESSED_VALUE, SYN_DROPPED } from '../../evdev/input-event.ts';

/*
 * Readers that act as a keyboard type the number of a card and then Enter. The kernel reports key codes of the layout
 * of a US keyboard. Letters are those of hexadecimal numbers, in either case.
 */

const numbered = (codes: readonly number[], characters: string): (readonly [number, string])[] =>
  codes.map((code, index) => [code, characters[index]!]);

const characters: ReadonlyMap<number, string> = new Map([
  ...numbered([2, 3, 4, 5, 6, 7, 8, 9, 10, 11], '1234567890'),
  ...numbered([79, 80, 81, 75, 76, 77, 71, 72, 73, 82], '1234567890'),
  ...numbered([30, 48, 46, 32, 18, 33], 'abcdef'),
]);
const ENTER: ReadonlySet<number> = new Set([28, 96]);
/** Shift keys and Num Lock, which some readers press first. */
const IGNORED: ReadonlySet<number> = new Set([42, 54, 69]);

/** Readers type one character every few milliseconds; a person does not. */
const LONGEST_GAP_MS = 200;
const LONGEST_TEXT = 20;

export interface WedgeState {
  readonly text: string;
  readonly at: MonotonicTime | null;
  /** The text is too long or has other characters: everything up to Enter is dropped. */
  readonly isSpoilt: boolean;
}

export const initialWedgeState: WedgeState = { text: '', at: null, isSpoilt: false };

export interface WedgeStep {
  readonly state: WedgeState;
  /** The text that Enter completed. */
  readonly text: string | null;
  /** Something ended that was not a number. */
  readonly hasDropped: boolean;
}

const isLate = ({ at }: WedgeState, now: MonotonicTime): boolean => at !== null && now - at > LONGEST_GAP_MS;

const typed = (state: WedgeState, code: number, now: MonotonicTime): WedgeState => {
  const character = characters.get(code);
  const isSpoilt = state.isSpoilt || character === undefined || state.text.length >= LONGEST_TEXT;
  return { text: isSpoilt ? '' : state.text + character, at: now, isSpoilt };
};

export const addWedgeEvent = (state: WedgeState, event: InputEvent, now: MonotonicTime): WedgeStep => {
  const { type, code, value } = event;
  if (type === EV_SYN && code === SYN_DROPPED)
    return { state: { ...state, at: now, isSpoilt: true }, text: null, hasDropped: false };
  if (type !== EV_KEY || value !== KEY_PRESSED_VALUE || IGNORED.has(code))
    return { state, text: null, hasDropped: false };
  // An unfinished text must not become the beginning of another number.
  const hasTimedOut = isLate(state, now);
  const current = hasTimedOut ? initialWedgeState : state;
  if (!ENTER.has(code)) return { state: typed(current, code, now), text: null, hasDropped: hasTimedOut };
  const isWhole = !current.isSpoilt && current.text !== '';
  return {
    state: initialWedgeState,
    text: isWhole ? current.text : null,
    hasDropped: hasTimedOut || current.isSpoilt,
  };
};
