export interface GadgetAndActionNames {
  /** Returns null for an unknown gadget. */
  gadget(gadget_id: string): string | null;
  action(gadget_id: string, action_id: string): string;
}

export interface NamedGadget {
  readonly gadget_id: string;
  readonly name: string;
  readonly actions: readonly { readonly id: string; readonly name: string }[];
}

export const createGadgetAndActionNames = (gadgets: readonly NamedGadget[]): GadgetAndActionNames => {
  const byId = new Map(gadgets.map(gadget => [gadget.gadget_id, gadget]));
  return {
    gadget: gadget_id => byId.get(gadget_id)?.name ?? null,
    action: (gadget_id, action_id) =>
      byId.get(gadget_id)?.actions.find(({ id }) => id === action_id)?.name ?? action_id,
  };
};
