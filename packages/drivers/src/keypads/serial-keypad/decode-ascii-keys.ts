import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import { addMilliseconds, type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';

/*
 * ASCII input has no checksum. Input counts as noise if it contains anything but keys, or more keys at once than a
 * person can type.
 */

/** The key for each byte; null for other bytes that the keypad sends. */
export type AsciiKeyMap = ReadonlyMap<number, KeypadKey | null>;

const keys: readonly KeypadKey[] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'];

export const defaultAsciiKeyMap: AsciiKeyMap = new Map<number, KeypadKey | null>([
  ...keys.map((key): [number, KeypadKey] => [key.charCodeAt(0), key]),
  [0x0d, '#'],
  [0x0a, null],
  // Letter keys of 4×4 keypads, which input rules cannot use.
  ...'ABCDabcd'.split('').map((letter): [number, null] => [letter.charCodeAt(0), null]),
]);

/** Typing rate limit. A keypad that sends a whole entry at once stays below the burst size. */
const BURST = 24;
const KEYS_PER_MS = 20 / 1_000;
const QUIET_MS = 500;

export interface AsciiKeyState {
  readonly noisyUntil: MonotonicTime | null;
  /** Number of keys allowed at once, as of `at`. */
  readonly room: number;
  readonly at: MonotonicTime;
}

export const initialAsciiKeyState: AsciiKeyState = { noisyUntil: null, room: BURST, at: monotonic(0) };

/** After noise, ignores all input until the line has been quiet for a while. */
export const decodeAsciiKeys = (
  map: AsciiKeyMap,
  state: AsciiKeyState,
  bytes: Uint8Array,
  now: MonotonicTime,
): { readonly state: AsciiKeyState; readonly keys: readonly KeypadKey[] } => {
  const noise = { state: { noisyUntil: addMilliseconds(now, QUIET_MS), room: BURST, at: now }, keys: [] };
  if (state.noisyUntil !== null && now < state.noisyUntil) return noise;
  const room = Math.min(BURST, state.room + (now - state.at) * KEYS_PER_MS);
  if (bytes.length > 2 * BURST || !bytes.every(byte => map.has(byte))) return noise;
  const pressed = [...bytes].map(byte => map.get(byte) ?? null).filter(key => key !== null);
  if (pressed.length > room) return noise;
  return { state: { noisyUntil: null, room: room - pressed.length, at: now }, keys: pressed };
};
