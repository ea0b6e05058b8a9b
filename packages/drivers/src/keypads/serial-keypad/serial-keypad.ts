import { KeypadBase } from '../../base/keypad-base.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { SerialLine } from '../../serial-line/serial-line-port.ts';
import { type AsciiState, asciiKeys, type KeyMap, plainKeyMap, silentKeypad } from './ascii-keys.ts';

export interface SerialKeypadOptions {
  readonly line: SerialLine;
  readonly clock: MonotonicClock;
  /** What bytes mean beside or in place of the usual. */
  readonly keys?: KeyMap;
}

/** A keypad that sends its keys as text. */
export class SerialKeypad extends KeypadBase {
  readonly #options: SerialKeypadOptions;
  readonly #keys: KeyMap;
  #state: AsciiState = silentKeypad;
  #isPlugged = true;
  #cancel: () => void = () => undefined;

  constructor(options: SerialKeypadOptions) {
    super();
    this.#options = options;
    this.#keys = new Map([...plainKeyMap, ...(options.keys ?? [])]);
    options.line.onBytes(bytes => this.#take(bytes));
    options.line.onFault(fault => {
      this.#isPlugged = fault === null;
      this.#cancel();
      this.#state = silentKeypad;
      this.health.follow(fault);
    });
  }

  async close(): Promise<void> {
    this.#cancel();
    await this.#options.line.close();
  }

  #take(bytes: Uint8Array): void {
    const { state, keys } = asciiKeys(this.#keys, this.#state, bytes, this.#options.clock.now());
    this.#state = state;
    if (state.noisyUntil !== null && this.health.fault === null) this.#noisy();
    for (const key of keys) this.press(key);
  }

  #noisy(): void {
    this.health.fail('broken', 'there is noise on the line of the keypad');
    this.#whenQuiet();
  }

  #whenQuiet(): void {
    const { clock } = this.#options;
    const until = this.#state.noisyUntil;
    if (until === null || clock.now() >= until) {
      if (this.#isPlugged) this.health.heal();
      return;
    }
    this.#cancel = clock.wake(until, () => this.#whenQuiet());
  }
}
