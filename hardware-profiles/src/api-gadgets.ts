import type { ProfileGadgetOfKind, ProfileGadget } from './gadget-schemas.ts';
import type { Profile } from './check-profile.ts';

interface NamedId {
  readonly id: string;
  readonly name: string;
}

/** A gadget of a claimed device, as in the API. */
export interface ApiGadget {
  readonly name: string;
  readonly actions: readonly NamedId[];
  readonly states: readonly NamedId[];
  readonly signals: readonly NamedId[];
}

const displayNames: Readonly<Record<string, string>> = {
  held_open: 'Held open',
  exit_button: 'Exit button',
  pre_alarm: 'Held open soon',
  contact_fault: 'Contact fault',
};

const withName = (id: string): NamedId => ({
  id,
  name: displayNames[id] ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
});

const doorGadget = ({
  name,
  actions,
  contact,
  exit_button,
  held_open_ms,
  pre_alarm_ms,
  forced_alarm,
}: ProfileGadgetOfKind<'door'>): ApiGadget => {
  const hasContact = contact !== undefined;
  const isForcible = forced_alarm ?? hasContact;
  const available = (ids: readonly (string | false)[]): NamedId[] => ids.filter(id => id !== false).map(withName);
  return {
    name,
    actions: actions.map(withName),
    states: available([
      'locked',
      'unlocked',
      hasContact && 'open',
      held_open_ms !== undefined && 'held_open',
      isForcible && 'forced',
    ]),
    signals: available([
      exit_button !== undefined && 'exit_button',
      pre_alarm_ms > 0 && 'pre_alarm',
      held_open_ms !== undefined && 'held_open',
      isForcible && 'forced',
      hasContact && 'contact_fault',
    ]),
  };
};

const newGadget = (gadget: ProfileGadget): ApiGadget => {
  if (gadget.kind === 'door') return doorGadget(gadget);
  if (gadget.kind === 'blind')
    return {
      name: gadget.name,
      actions: ['up', 'down', 'stop'].map(withName),
      states: ['raising', 'lowering', 'stopped', 'up', 'down'].map(withName),
      signals: [],
    };
  const actions = gadget.actions.map(({ id, name }) => (name === undefined ? withName(id) : { id, name }));
  return { name: gadget.name, actions, states: gadget.states, signals: [] };
};

/** The gadgets that the bridge creates when a device with this profile is claimed. */
export const toApiGadgets = ({ gadgets }: Pick<Profile, 'gadgets'>): readonly ApiGadget[] => gadgets.map(newGadget);
