import type { GadgetEntry } from '../snapshot/active-snapshot.ts';

/** What a state may be called at a gadget, the most telling name first. */
const stateNames: Readonly<Record<string, readonly string[]>> = {
  locked: ['locked', 'closed'],
  unlocked: ['unlocked', 'closed'],
  open: ['open'],
  held_open: ['held_open', 'open'],
  forced: ['forced', 'open'],
};

/** An alarm is told even where the desk has no word for it. */
const alarms = new Set(['held_open', 'forced', 'contact_fault']);

/** The gadget's own name for what its machine says; null when it has none, and then nobody asks for it. */
export const reportedState = ({ states }: GadgetEntry, state_id: string): string | null =>
  (stateNames[state_id] ?? [state_id]).find(name => states.some(({ id }) => id === name)) ?? null;

export const reportedSignal = ({ signals }: GadgetEntry, signal_id: string): string | null =>
  alarms.has(signal_id) || signals.some(({ id }) => id === signal_id) ? signal_id : null;
