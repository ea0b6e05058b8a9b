import type { SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';

/** The screen reader announcements for a change, the most urgent last. */
export const createScreenReaderAnnouncements = (before: SimulatorState, after: SimulatorState): readonly string[] => {
  const doors = after.doors.flatMap(door => {
    const old = before.doors.find(({ key }) => key === door.key);
    if (old === undefined) return [];
    if (door.alarm !== null && door.alarm !== old.alarm) {
      return [`Alarm: ${door.name} ${door.alarm === 'forced' ? 'forced open' : 'held open'}`];
    }
    if (door.leaf !== old.leaf) return [`${door.name} ${door.leaf === 'open' ? 'open' : 'closed'}`];
    if (door.is_unlocked && !old.is_unlocked) return [`${door.name} unlocked`];
    return [];
  });
  const known = new Set(before.activity.map(({ id }) => id));
  const denials = after.activity.filter(({ id, kind }) => kind === 'deny' && !known.has(id)).map(({ words }) => words);
  return [...denials, ...doors];
};
