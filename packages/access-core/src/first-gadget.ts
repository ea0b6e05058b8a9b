/** Times of creation in one form: instants, or the API's date-times, which sort as text. */
interface Created {
  readonly id: string;
  readonly created_at: number | string;
}

const isEarlier = (one: Created, other: Created): boolean =>
  one.created_at === other.created_at ? one.id < other.id : one.created_at < other.created_at;

/** Where PINs and cards go at a device without input rules. Of gadgets made at the same moment the lower id is first. */
export const firstGadget = <G extends Created>(gadgets: Iterable<G>): G | null => {
  let first: G | null = null;
  for (const gadget of gadgets) if (first === null || isEarlier(gadget, first)) first = gadget;
  return first;
};
