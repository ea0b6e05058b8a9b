import type { GadgetOf, ProfileGadget } from './gadgets.ts';
import type { Profile } from './profile-schema.ts';

interface NamedId {
  readonly id: string;
  readonly name: string;
}

/** A gadget as the API has it, for a device that is claimed. */
export interface NewGadget {
  readonly name: string;
  readonly actions: readonly NamedId[];
  readonly states: readonly NamedId[];
  readonly signals: readonly NamedId[];
}

const words: Readonly<Record<string, string>> = {
  held_open: 'Held open',
  exit_button: 'Exit button',
  pre_alarm: 'Held open soon',
  contact_fault: 'Contact fault',
};

const inWords = (id: string): NamedId => ({ id, name: words[id] ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}` });

const doorGadget = ({
  name,
  actions,
  contact,
  exit_button,
  held_open_ms,
  pre_alarm_ms,
  forced_alarm,
}: GadgetOf<'door'>): NewGadget => {
  const hasContact = contact !== undefined;
  const isForcible = forced_alarm ?? hasContact;
  const only = (ids: readonly (string | false)[]): NamedId[] => ids.filter(id => id !== false).map(inWords);
  return {
    name,
    actions: actions.map(inWords),
    states: only([
      'locked',
      'unlocked',
      hasContact && 'open',
      held_open_ms !== undefined && 'held_open',
      isForcible && 'forced',
    ]),
    signals: only([
      exit_button !== undefined && 'exit_button',
      pre_alarm_ms > 0 && 'pre_alarm',
      held_open_ms !== undefined && 'held_open',
      isForcible && 'forced',
      hasContact && 'contact_fault',
    ]),
  };
};

const newGadget = (gadget: ProfileGadget): NewGadget => {
  if (gadget.kind === 'door') return doorGadget(gadget);
  if (gadget.kind === 'blind')
    return {
      name: gadget.name,
      actions: ['up', 'down', 'stop'].map(inWords),
      states: ['raising', 'lowering', 'stopped', 'up', 'down'].map(inWords),
      signals: [],
    };
  const actions = gadget.actions.map(({ id, name }) => (name === undefined ? inWords(id) : { id, name }));
  return { name: gadget.name, actions, states: gadget.states, signals: [] };
};

/** The gadgets that a device of this product gets when it is claimed, in the order of the profile. */
export const gadgetsOf = ({ gadgets }: Pick<Profile, 'gadgets'>): readonly NewGadget[] => gadgets.map(newGadget);
