import type { GadgetId } from '@lintel/access-core/ids';
import type { InputRule } from '@lintel/access-core/input-rules';
import { gadgetsOf, type NewGadget } from '@lintel/hardware-profiles/gadgets-of';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';

/** A gadget of the trial: one of the profile's, or one that only the rules know of. */
export interface TrialGadget extends NewGadget {
  readonly id: GadgetId;
  /** Of the profile; null for one that must hang on another controller. */
  readonly key: string | null;
}

const canDo = ({ actions }: NewGadget, wanted: ReadonlySet<string>): boolean =>
  [...wanted].every(id => actions.some(action => action.id === id));

const elsewhere = (id: GadgetId, wanted: ReadonlySet<string>): TrialGadget => ({
  id,
  key: null,
  name: `${id} at another controller`,
  actions: [...wanted].map(action => ({ id: action, name: action })),
  states: [],
  signals: [],
});

/**
 * Rules name gadgets by the ids of the organization, and a profile has none. Each id is taken for the first gadget of the
 * profile that is still free and can do all that the rules ask of it; what fits nowhere must be another controller's.
 */
export const trialGadgets = (
  profile: Profile,
  rules: readonly InputRule[],
): { readonly gadgets: readonly TrialGadget[]; readonly assumed: readonly string[] } => {
  const own = gadgetsOf(profile);
  const idOfPlace = new Map<number, GadgetId>();
  const others: TrialGadget[] = [];
  const assumed: string[] = [];
  for (const [id, ofGadget] of Map.groupBy(rules, rule => rule.gadget_id)) {
    const wanted = new Set(ofGadget.map(rule => rule.action_id));
    const place = own.findIndex((gadget, index) => !idOfPlace.has(index) && canDo(gadget, wanted));
    if (place < 0) others.push(elsewhere(id, wanted));
    else idOfPlace.set(place, id);
    assumed.push(
      place < 0
        ? `${id} fits nothing of the profile: it is taken for a gadget of another controller`
        : `${id} is taken for ${own[place]!.name}`,
    );
  }
  const gadgets = own.map((gadget, index): TrialGadget => {
    const { key } = profile.gadgets[index]!;
    return { ...gadget, key, id: idOfPlace.get(index) ?? (`gad_${key.replaceAll(/[^a-z0-9]/g, '')}` as GadgetId) };
  });
  return { gadgets: [...gadgets, ...others], assumed };
};
