import { type KeyValueStore, KeyValueStoreError } from '@lintel/service/data-folder/key-value-store-interface';
import type { Log } from '@lintel/service/log-function-type';
import {
  type GadgetAssignments,
  type GadgetToAssign,
  assignGadgetsToProfile,
  type AssignableProfileGadget,
} from './gadget-assignment.ts';

/** By gadget id, also of gadgets that were removed. */
export const readGadgetAssignments = (state: Pick<KeyValueStore<'gadget_places'>, 'read'>): Record<string, string> => {
  const saved = state.read('gadget_places');
  const entries = typeof saved === 'object' && saved !== null ? Object.entries(saved) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
};

/** Keeps the assignment of gadgets to slots over restarts. */
export class PersistedGadgetAssignments {
  readonly #places: readonly AssignableProfileGadget[];
  readonly #state: KeyValueStore<'gadget_places'>;
  readonly #log: Log;
  #kept: Record<string, string>;

  constructor(places: readonly AssignableProfileGadget[], state: KeyValueStore<'gadget_places'>, log: Log) {
    this.#places = places;
    this.#state = state;
    this.#log = log;
    this.#kept = readGadgetAssignments(state);
  }

  place(gadgets: readonly GadgetToAssign[]): GadgetAssignments {
    const placed = assignGadgetsToProfile(this.#places, gadgets, this.#kept);
    const kept = this.#afterwards(placed);
    if (JSON.stringify(kept) !== JSON.stringify(this.#kept)) this.#keep(kept);
    return placed;
  }

  /** A removed gadget keeps its slot until another gadget takes it, because a snapshot may be lost and synced again. */
  #afterwards(placed: GadgetAssignments): Record<string, string> {
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
      if (!(error instanceof KeyValueStoreError)) throw error;
      this.#log('warn', 'Failed to save the gadget assignments');
    }
  }
}
