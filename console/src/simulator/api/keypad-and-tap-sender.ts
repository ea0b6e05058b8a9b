import type { SimulatedReaderUnitState } from '@lintel/wire-protocol/simulator/controller-and-gateway-state';
import type { SimulatedDoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { SimulatedCredential } from '@lintel/wire-protocol/simulator/simulator-api-requests';
import type { SimulatorCommands } from './simulator-commands.ts';

/** Slow enough to follow on the screen. */
const KEY_INTERVAL_MS = 130;
/** Time for the controller to decide on a PIN. */
const DECISION_MS = 400;

export interface ReaderUnitInput {
  readonly controller: string;
  readonly station: string;
  /** Null when a card or phone is presented to the reader. */
  readonly key: string | null;
}

type KeyPress = ReaderUnitInput & { readonly key: string };
type ReaderLocation = Pick<ReaderUnitInput, 'controller' | 'station'>;

interface KeypadInputOptions {
  readonly commands: SimulatorCommands;
  readonly stationOf: (controller: string, station: string) => SimulatedReaderUnitState | undefined;
  readonly wait: (ms: number) => Promise<void>;
}

/** Sends keys and taps in order, one at a time. */
export class KeypadAndTapSender {
  readonly #options: KeypadInputOptions;
  readonly #listeners = new Set<(event: ReaderUnitInput) => void>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: KeypadInputOptions) {
    this.#options = options;
  }

  subscribe(listener: (event: ReaderUnitInput) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #enqueue(action: () => Promise<unknown>): Promise<unknown> {
    this.#last = this.#last.then(action);
    return this.#last;
  }

  #notify(event: ReaderUnitInput): void {
    for (const listener of this.#listeners) listener(event);
  }

  #pressKey(press: KeyPress): Promise<boolean> {
    this.#notify(press);
    const { controller, station, key } = press;
    return this.#options.commands.keys(controller, { keys: key, station });
  }

  press(press: KeyPress): Promise<unknown> {
    return this.#enqueue(() => this.#pressKey(press));
  }

  async #type({ controller, station }: SimulatedDoorState, keys: string): Promise<boolean> {
    for (const key of keys) {
      if (!(await this.#pressKey({ controller, station, key }))) return false;
      await this.#options.wait(KEY_INTERVAL_MS);
    }
    return true;
  }

  /** Types the code of the door and the PIN, and `#` if the keypad still waits. */
  typePin(door: SimulatedDoorState, pin: string): Promise<unknown> {
    return this.#enqueue(async () => {
      if (!(await this.#type(door, `${door.code ?? ''}${pin}`))) return;
      await this.#options.wait(DECISION_MS);
      const { controller, station } = door;
      if (this.#options.stationOf(controller, station)?.entry.phase !== 'idle') await this.#type(door, '#');
    });
  }

  /** Types the code of the door and then presents the credential. */
  typeCodeAndTap(door: SimulatedDoorState, person: string, credential: SimulatedCredential): Promise<unknown> {
    return this.#enqueue(async () => {
      if (await this.#type(door, door.code ?? '')) await this.#tap(door, person, credential);
    });
  }

  /** Presents the credential without a code. */
  tap(reader: ReaderLocation, person: string, credential: SimulatedCredential): Promise<unknown> {
    return this.#enqueue(() => this.#tap(reader, person, credential));
  }

  #tap({ controller, station }: ReaderLocation, person: string, credential: SimulatedCredential): Promise<boolean> {
    this.#notify({ controller, station, key: null });
    return this.#options.commands.tap(controller, { person, with: credential, station });
  }
}
