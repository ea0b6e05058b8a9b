import type { GadgetId } from '@lintel/access-core/ids';
import type { InputRule } from '@lintel/access-core/input-rules';
import { toApiGadgets, type ApiGadget } from '@lintel/hardware-profiles/api-gadgets';
import type { Profile } from '@lintel/hardware-profiles/check-profile';

/** A gadget of the profile, or a gadget that only the rules mention. */
export interface MappedGadget extends ApiGadget {
  readonly id: GadgetId;
  /** Key in the profile. Null for a gadget of another controller. */
  readonly key: string | null;
}

const hasActions = ({ actions }: ApiGadget, actionIds: ReadonlySet<string>): boolean =>
  [...actionIds].every(id => actions.some(action => action.id === id));

const remoteGadget = (id: GadgetId, actionIds: ReadonlySet<string>): MappedGadget => ({
  id,
  key: null,
  name: `${id} at another controller`,
  actions: [...actionIds].map(action => ({ id: action, name: action })),
  states: [],
  signals: [],
});

/**
 * Maps the gadget ids of the rules to the gadgets of the profile, which has no ids: each id to the first unused gadget that
 * has all actions of its rules. An id without a match is treated as a gadget of another controller.
 */
export const mapInputRulesToGadgets = (
  profile: Profile,
  rules: readonly InputRule[],
): { readonly gadgets: readonly MappedGadget[]; readonly assumptions: readonly string[] } => {
  const own = toApiGadgets(profile);
  const idByIndex = new Map<number, GadgetId>();
  const others: MappedGadget[] = [];
  const assumptions: string[] = [];
  for (const [id, ofGadget] of Map.groupBy(rules, rule => rule.gadget_id)) {
    const actionIds = new Set(ofGadget.map(rule => rule.action_id));
    const match = own.findIndex((gadget, index) => !idByIndex.has(index) && hasActions(gadget, actionIds));
    if (match < 0) others.push(remoteGadget(id, actionIds));
    else idByIndex.set(match, id);
    assumptions.push(
      match < 0
        ? `${id} matches no gadget of the profile and is treated as a gadget of another controller`
        : `${id} is mapped to ${own[match]!.name}`,
    );
  }
  const gadgets = own.map((gadget, index): MappedGadget => {
    const { key } = profile.gadgets[index]!;
    return { ...gadget, key, id: idByIndex.get(index) ?? (`gad_${key.replaceAll(/[^a-z0-9]/g, '')}` as GadgetId) };
  });
  return { gadgets: [...gadgets, ...others], assumptions };
};
