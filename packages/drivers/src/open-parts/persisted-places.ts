import { type StateStore, StateStoreError } from '@lintel/service/data-folder/state-store';
import type { Log } from '@lintel/service/log';
import { type GadgetPlaces, type PlacedGadget, placeGadgets, type WiredPlace } from './gadget-places.ts';

const readKept = (state: StateStore<'gadget_places'>): Record<string, string> => {
  const saved = state.read('gadget_places');
  const entries = typeof saved === 'object' && saved !== null ? Object.entries(saved) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
};

/** Remembers over restarts which gadget hangs on which wires. */
export class PersistedPlaces {
  readonly #places: readonly WiredPlace[];
  readonly #state: StateStore<'gadget_places'>;
  readonly #log: Log;
  #kept: Record<string, string>;

  constructor(places: readonly WiredPlace[], state: StateStore<'gadget_places'>, log: Log) {
    this.#places = places;
    this.#state = state;
    this.#log = log;
    this.#kept = readKept(state);
  }

  place(gadgets: readonly PlacedGadget[]): GadgetPlaces {
    const placed = placeGadgets(this.#places, gadgets, this.#kept);
    const kept = this.#afterwards(placed);
    if (JSON.stringify(kept) !== JSON.stringify(this.#kept)) this.#keep(kept);
    return placed;
  }

  /** A gadget that is not here now keeps its place until another has it: a slice may be lost and come again. */
  #afterwards(placed: GadgetPlaces): Record<string, string> {
    const taken = [...placed].filter((entry): entry is [string, string] => entry[1] !== null);
    const keys = new Set(taken.map(([, key]) => key));
    const others = Object.entries(this.#kept).filter(([id, key]) => !placed.has(id) && !keys.has(key));
    return Object.fromEntries([...others, ...taken].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #keep(kept: Record<string, string>): void {
    this.#kept = kept;
    try {
      this.#state.write('gadget_places', kept);
    } catch (error) {
      if (!(error instanceof StateStoreError)) throw error;
      this.#log('warn', 'which gadget hangs on which wires could not be saved');
    }
  }
}
