/** What gadgets and their actions are called; null for one that nobody here knows. */
export interface Names {
  gadget(gadget_id: string): string | null;
  action(gadget_id: string, action_id: string): string;
}

export interface NamedGadget {
  readonly gadget_id: string;
  readonly name: string;
  readonly actions: readonly { readonly id: string; readonly name: string }[];
}

export const namesOf = (gadgets: readonly NamedGadget[]): Names => {
  const known = new Map(gadgets.map(gadget => [gadget.gadget_id, gadget]));
  return {
    gadget: gadget_id => known.get(gadget_id)?.name ?? null,
    action: (gadget_id, action_id) =>
      known.get(gadget_id)?.actions.find(({ id }) => id === action_id)?.name ?? action_id,
  };
};
