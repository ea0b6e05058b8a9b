import { type KeyValueStore, KeyValueStoreError } from '@lintel/service/data-folder/key-value-store-interface';
import type { Log } from '@lintel/service/log-function-type';

/** A gadget of the hardware profile, with its wiring. */
export interface AssignableProfileGadget {
  readonly key: string;
  readonly name: string;
  readonly action_ids: ReadonlySet<string>;
}

/** A gadget of this device as configured in the bridge. */
export interface GadgetToAssign {
  readonly id: string;
  readonly name: string;
  readonly actions: readonly { readonly id: string }[];
}

/** The slot key of each gadget by gadget id; null if no slot is available. */
type GadgetAssignments = ReadonlyMap<string, string | null>;

const plain = (name: string): string => name.trim().toLowerCase();

const canDo = ({ action_ids }: AssignableProfileGadget, { actions }: GadgetToAssign): boolean =>
  actions.length > 0 && actions.every(({ id }) => action_ids.has(id));

/**
 * Assigns gadgets to the wired slots of the profile. A gadget keeps the slot it once had, even if it is renamed or
 * another gadget is deleted: the relay of one door must never become the relay of another. A new gadget gets the free
 * slot with its own name, otherwise the first free slot that supports all its actions; slots of removed gadgets come
 * last. `gadgets` is in order of creation.
 */
export const assignGadgetsToProfile = (
  places: readonly AssignableProfileGadget[],
  gadgets: readonly GadgetToAssign[],
  remembered: Readonly<Record<string, string>>,
): GadgetAssignments => {
  const placed = new Map<string, string>();
  const free = new Map(places.map(place => [place.key, place]));
  const put = (gadget: GadgetToAssign, place: AssignableProfileGadget | undefined): void => {
    if (place === undefined) return;
    placed.set(gadget.id, place.key);
    free.delete(place.key);
  };
  const each = (choose: (gadget: GadgetToAssign) => AssignableProfileGadget | undefined): void => {
    for (const gadget of gadgets) if (!placed.has(gadget.id)) put(gadget, choose(gadget));
  };
  each(({ id }) => (Object.hasOwn(remembered, id) ? free.get(remembered[id]!) : undefined));
  each(gadget => [...free.values()].find(one => plain(one.name) === plain(gadget.name) && canDo(one, gadget)));
  const vanished = new Set(Object.values(remembered));
  each(gadget => [...free.values()].find(one => !vanished.has(one.key) && canDo(one, gadget)));
  each(gadget => [...free.values()].find(one => canDo(one, gadget)));
  return new Map(gadgets.map(({ id }) => [id, placed.get(id) ?? null]));
};

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
