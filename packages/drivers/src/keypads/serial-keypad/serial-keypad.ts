import { KeypadBase } from '../../base/keypad-base.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { SerialLine } from '../../serial-line/serial-line-interface.ts';
import {
  type AsciiKeyState,
  decodeAsciiKeys,
  type AsciiKeyMap,
  defaultAsciiKeyMap,
  initialAsciiKeyState,
} from './decode-ascii-keys.ts';

export interface SerialKeypadOptions {
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
