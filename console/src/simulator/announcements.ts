import type { World } from '@lintel/wire-protocol/simulator/world';

/** What somebody who does not see the page should hear of the change, the most urgent last. */
export const announcements = (before: World, after: World): readonly string[] => {
  const doors = after.doors.flatMap(door => {
    const old = before.doors.find(({ key }) => key === door.key);
    if (old === undefined) return [];
    if (door.alarm !== null && door.alarm !== old.alarm) {
      return [`Alarm: ${door.name} ${door.alarm === 'forced' ? 'was forced' : 'is held open'}`];
    }
    if (door.leaf !== old.leaf) return [`${door.name} ${door.leaf === 'open' ? 'open' : 'closed'}`];
    if (door.is_unlocked && !old.is_unlocked) return [`${door.name} unlocked`];
    return [];
  });
  const known = new Set(before.happenings.map(({ id }) => id));
  const refused = after.happenings
    .filter(({ id, kind }) => kind === 'deny' && !known.has(id))
    .map(({ words }) => words);
  return [...refused, ...doors];
};
