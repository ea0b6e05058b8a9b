import type { Key } from '@lintel/access-core/key-entry-model';
import { after, type Monotonic, monotonic } from '@lintel/access-core/monotonic';

/* A line of text has no checksum. What tells a person from noise is that a person types keys and nothing else, and not
   many of them at once. */

/** What a byte stands for; null for bytes that the keypad sends beside its keys. */
export type KeyMap = ReadonlyMap<number, Key | null>;

const keys: readonly Key[] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'];

export const plainKeyMap: KeyMap = new Map<number, Key | null>([
  ...keys.map((key): [number, Key] => [key.charCodeAt(0), key]),
  [0x0d, '#'],
  [0x0a, null],
  // Keys of 4×4 keypads that no rule can name.
  ...'ABCDabcd'.split('').map((letter): [number, null] => [letter.charCodeAt(0), null]),
]);

/** Nobody types faster for long; a keypad that sends a whole entry at once stays below it. */
const BURST = 24;
const KEYS_PER_MS = 20 / 1_000;
const QUIET_MS = 500;

export interface AsciiState {
  readonly noisyUntil: Monotonic | null;
  /** Keys that may still come at once, as of `at`. */
  readonly room: number;
  readonly at: Monotonic;
}

export const silentKeypad: AsciiState = { noisyUntil: null, room: BURST, at: monotonic(0) };

/** Noise lasts until the line has been quiet for a while: the end of it is not taken for keys either. */
export const asciiKeys = (
  map: KeyMap,
  state: AsciiState,
  bytes: Uint8Array,
  now: Monotonic,
): { readonly state: AsciiState; readonly keys: readonly Key[] } => {
  const noise = { state: { noisyUntil: after(now, QUIET_MS), room: BURST, at: now }, keys: [] };
  if (state.noisyUntil !== null && now < state.noisyUntil) return noise;
  const room = Math.min(BURST, state.room + (now - state.at) * KEYS_PER_MS);
  if (bytes.length > 2 * BURST || !bytes.every(byte => map.has(byte))) return noise;
  const pressed = [...bytes].map(byte => map.get(byte) ?? null).filter(key => key !== null);
  if (pressed.length > room) return noise;
  return { state: { noisyUntil: null, room: room - pressed.length, at: now }, keys: pressed };
};
