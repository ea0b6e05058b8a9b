/** Creation times in a common form: instants, or date-times of the API, which sort as text. */
interface Created {
  readonly id: string;
  readonly created_at: number | string;
}

const isEarlier = (one: Created, other: Created): boolean =>
  one.created_at === other.created_at ? one.id < other.id : one.created_at < other.created_at;

/**
 * The destination of PINs and cards on a device without input rules. For equal creation times the lower id is first.
 */
export const findFirstCreatedGadget = <G extends Created>(gadgets: Iterable<G>): G | null => {
  let first: G | null = null;
  for (const gadget of gadgets) if (first === null || isEarlier(gadget, first)) first = gadget;
  return first;
};
