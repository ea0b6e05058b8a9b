/** What the profile has wires for. */
export interface WiredPlace {
  readonly key: string;
  readonly name: string;
  readonly action_ids: ReadonlySet<string>;
}

/** A gadget of this device as the desk has it. */
export interface PlacedGadget {
  readonly id: string;
  readonly name: string;
  readonly actions: readonly { readonly id: string }[];
}

/** The place of each gadget by its id; null when nothing is wired for it. */
export type GadgetPlaces = ReadonlyMap<string, string | null>;

const plain = (name: string): string => name.trim().toLowerCase();

const canDo = ({ action_ids }: WiredPlace, { actions }: PlacedGadget): boolean =>
  actions.length > 0 && actions.every(({ id }) => action_ids.has(id));

/**
 * Which gadget hangs on which wires. A gadget keeps the place that it once had, whatever it is called now and whichever
 * other gadget is deleted: the relay of one door must never become that of another. A new gadget gets the free place
 * of its own name, or else the first free one that can do all its actions; a place that a vanished gadget had goes last.
 * `gadgets` are in the order of their creation.
 */
export const placeGadgets = (
  places: readonly WiredPlace[],
  gadgets: readonly PlacedGadget[],
  remembered: Readonly<Record<string, string>>,
): GadgetPlaces => {
  const placed = new Map<string, string>();
  const free = new Map(places.map(place => [place.key, place]));
  const put = (gadget: PlacedGadget, place: WiredPlace | undefined): void => {
    if (place === undefined) return;
    placed.set(gadget.id, place.key);
    free.delete(place.key);
  };
  const each = (choose: (gadget: PlacedGadget) => WiredPlace | undefined): void => {
    for (const gadget of gadgets) if (!placed.has(gadget.id)) put(gadget, choose(gadget));
  };
  each(({ id }) => (Object.hasOwn(remembered, id) ? free.get(remembered[id]!) : undefined));
  each(gadget => [...free.values()].find(one => plain(one.name) === plain(gadget.name) && canDo(one, gadget)));
  const vanished = new Set(Object.values(remembered));
  each(gadget => [...free.values()].find(one => !vanished.has(one.key) && canDo(one, gadget)));
  each(gadget => [...free.values()].find(one => canDo(one, gadget)));
  return new Map(gadgets.map(({ id }) => [id, placed.get(id) ?? null]));
};
