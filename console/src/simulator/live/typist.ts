import type { StationState } from '@lintel/wire-protocol/simulator/controller-state';
import type { DoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { Orders } from './orders.ts';

/** Fingers take a moment from key to key, and the eye wants to follow. */
const STROKE_MS = 130;
/** What the keypad needs to make up its mind about a PIN. */
const THINKING_MS = 400;

export interface Stroke {
  readonly controller: string;
  readonly station: string;
  /** Null: no key, but something held to the reader. */
  readonly key: string | null;
}

type Key = Stroke & { readonly key: string };
type Place = Pick<Stroke, 'controller' | 'station'>;

interface TypistParts {
  readonly orders: Orders;
  readonly stationOf: (controller: string, station: string) => StationState | undefined;
  readonly wait: (ms: number) => Promise<void>;
}

/** Presses keys one after another, however fast they were asked for: the order of keys is the PIN. */
export class Typist {
  readonly #parts: TypistParts;
  readonly #watchers = new Set<(stroke: Stroke) => void>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: TypistParts) {
    this.#parts = parts;
  }

  /** Tells of every stroke; answers what ends that. */
  watch(watcher: (stroke: Stroke) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #inTurn(act: () => Promise<unknown>): Promise<unknown> {
    this.#last = this.#last.then(act);
    return this.#last;
  }

  #show(stroke: Stroke): void {
    for (const watcher of this.#watchers) watcher(stroke);
  }

  #stroke(stroke: Key): Promise<boolean> {
    this.#show(stroke);
    const { controller, station, key } = stroke;
    return this.#parts.orders.keys(controller, { keys: key, station });
  }

  press(stroke: Key): Promise<unknown> {
    return this.#inTurn(() => this.#stroke(stroke));
  }

  async #type({ controller, station }: DoorState, keys: string): Promise<boolean> {
    for (const key of keys) {
      if (!(await this.#stroke({ controller, station, key }))) return false;
      await this.#parts.wait(STROKE_MS);
    }
    return true;
  }

  /** The door's code and the PIN, and # only where the keypad still waits for it. */
  typePin(door: DoorState, pin: string): Promise<unknown> {
    return this.#inTurn(async () => {
      if (!(await this.#type(door, door.code + pin))) return;
      await this.#parts.wait(THINKING_MS);
      const { controller, station } = door;
      if (this.#parts.stationOf(controller, station)?.entry.phase !== 'idle') await this.#type(door, '#');
    });
  }

  /** The door's code, and then the card or the phone at the reader. */
  tap(door: DoorState, person: string, thing: 'card' | 'phone'): Promise<unknown> {
    return this.#inTurn(async () => {
      if (await this.#type(door, door.code)) await this.#tap(door, person, thing);
    });
  }

  /** The card or the phone, and nothing else. */
  hold(place: Place, person: string, thing: 'card' | 'phone'): Promise<unknown> {
    return this.#inTurn(() => this.#tap(place, person, thing));
  }

  #tap({ controller, station }: Place, person: string, thing: 'card' | 'phone'): Promise<boolean> {
    this.#show({ controller, station, key: null });
    return this.#parts.orders.tap(controller, { person, with: thing, station });
  }
}
