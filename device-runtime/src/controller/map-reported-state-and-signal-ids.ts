import type { SnapshotGadgetEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';

/** State ids that a gadget may use, the most specific first. */
const stateNames: Readonly<Record<string, readonly string[]>> = {
  locked: ['locked', 'closed'],
  unlocked: ['unlocked', 'closed'],
  open: ['open'],
  held_open: ['held_open', 'open'],
  forced: ['forced', 'open'],
};

/** Alarms are reported even if the gadget does not define them as signals. */
const alarms = new Set(['held_open', 'forced', 'contact_fault']);

/** The gadget's own id for a state; null when it defines none. */
export const findReportedStateId = ({ states }: SnapshotGadgetEntry, state_id: string): string | null =>
  (stateNames[state_id] ?? [state_id]).find(name => states.some(({ id }) => id === name)) ?? null;

export const findReportedSignalId = ({ signals }: SnapshotGadgetEntry, signal_id: string): string | null =>
  alarms.has(signal_id) || signals.some(({ id }) => id === signal_id) ? signal_id : null;
