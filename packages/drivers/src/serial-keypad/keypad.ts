import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import { addMilliseconds, type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { KeypadBase } from '../base/keypad-base.ts';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';

/*
 * ASCII input has no checksum. Input counts as noise if it contains anything but keys, or more keys at once than a
 * person can type.
 */

/** The key for each byte; null for other bytes that the keypad sends. */
type AsciiKeyMap = ReadonlyMap<number, KeypadKey | null>;

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

interface SerialKeypadOptions {
  readonly line: SerialLine;
  readonly clock: MonotonicClock;
  /** Bytes in addition to the default map, or replacing its entries. */
  readonly keys?: AsciiKeyMap;
}

/** A keypad that sends its keys as ASCII text. */
export class SerialKeypad extends KeypadBase {
  readonly #options: SerialKeypadOptions;
  readonly #keys: AsciiKeyMap;
  #state: AsciiKeyState = initialAsciiKeyState;
  #isPlugged = true;
  #cancel: () => void = () => undefined;

  constructor(options: SerialKeypadOptions) {
    super();
    this.#options = options;
    this.#keys = new Map([...defaultAsciiKeyMap, ...(options.keys ?? [])]);
    options.line.onBytes(bytes => this.#take(bytes));
    options.line.onFault(fault => {
      this.#isPlugged = fault === null;
      this.#cancel();
      this.#state = initialAsciiKeyState;
      this.health.follow(fault);
    });
  }

  async close(): Promise<void> {
    this.#cancel();
    await this.#options.line.close();
  }

  #take(bytes: Uint8Array): void {
    const { state, keys } = decodeAsciiKeys(this.#keys, this.#state, bytes, this.#options.clock.now());
    this.#state = state;
    if (state.noisyUntil !== null && this.health.fault === null) this.#noisy();
    for (const key of keys) this.press(key);
  }

  #noisy(): void {
    this.health.fail('broken', 'Noise on the serial line of the keypad');
    this.#whenQuiet();
  }

  #whenQuiet(): void {
    const { clock } = this.#options;
    const until = this.#state.noisyUntil;
    if (until === null || clock.now() >= until) {
      if (this.#isPlugged) this.health.clear();
      return;
    }
    this.#cancel = clock.wake(until, () => this.#whenQuiet());
  }
}
