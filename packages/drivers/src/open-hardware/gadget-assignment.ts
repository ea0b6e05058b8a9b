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
export type GadgetAssignments = ReadonlyMap<string, string | null>;

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
