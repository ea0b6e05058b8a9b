import type { ControllerState, StationState } from '@lintel/wire-protocol/simulator/controller-state';
import type { DoorState } from '@lintel/wire-protocol/simulator/door-state';

export type DoorLook = 'dark' | 'forced' | 'held_open' | 'open' | 'unlocked' | 'locked';

/** How a door is to be seen: the most urgent thing first. */
export const doorLook = (door: DoorState, power: ControllerState['power']): DoorLook => {
  if (power !== 'on') return 'dark';
  if (door.alarm !== null) return door.alarm;
  if (door.leaf === 'open') return 'open';
  return door.is_unlocked ? 'unlocked' : 'locked';
};

export const doorWords = (door: DoorState, power: ControllerState['power']): string => {
  const leaf = door.leaf === 'open' ? 'stands open' : 'locked';
  switch (doorLook(door, power)) {
    case 'dark':
      return power === 'starting' ? `${leaf}, starting` : `${leaf}, no power`;
    case 'forced':
      return 'forced: alarm';
    case 'held_open':
      return 'held open: alarm';
    case 'open':
      return door.is_held ? 'open, held' : 'open';
    case 'unlocked':
      return 'unlocked';
    case 'locked':
      return door.is_held ? 'locked, somebody waits' : 'locked';
  }
};

/** What a guest has to do here. */
export const howToOpen = ({ code }: DoorState): string =>
  code === '' ? 'Type a PIN, or tap.' : `Type ${code} and a PIN, or ${code} and tap.`;

/** What the little display says. */
export const displayWords = (
  { entry, locked_until }: StationState,
  power: ControllerState['power'],
  nameOf: (door: string) => string,
): string => {
  if (power === 'off') return '';
  if (power === 'starting') return 'Starting';
  if (locked_until !== null) return 'Locked';
  if (entry.phase === 'code') return 'Which door?';
  if (entry.phase === 'armed') return entry.door === null ? 'PIN or card' : nameOf(entry.door);
  return 'Welcome';
};
