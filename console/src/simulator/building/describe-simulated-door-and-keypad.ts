import type {
  SimulatedControllerState,
  SimulatedReaderUnitState,
} from '@lintel/wire-protocol/simulator/controller-and-gateway-state';
import type { SimulatedDoorState } from '@lintel/wire-protocol/simulator/door-state';

export type DoorAppearance = 'no_power' | 'forced' | 'held_open' | 'open' | 'unlocked' | 'locked';

/** The most urgent state of a door. */
export const selectDoorAppearance = (
  door: SimulatedDoorState,
  power: SimulatedControllerState['power'],
): DoorAppearance => {
  if (power !== 'on') return 'no_power';
  if (door.alarm !== null) return door.alarm;
  if (door.leaf === 'open') return 'open';
  return door.is_unlocked ? 'unlocked' : 'locked';
};

export const describeSimulatedDoorState = (
  door: SimulatedDoorState,
  power: SimulatedControllerState['power'],
): string => {
  const position = door.leaf === 'open' ? 'open' : 'locked';
  switch (selectDoorAppearance(door, power)) {
    case 'no_power':
      return power === 'starting' ? `${position}, starting` : `${position}, no power`;
    case 'forced':
      return 'alarm: forced open';
    case 'held_open':
      return 'alarm: held open';
    case 'open':
      return door.is_held ? 'open, held' : 'open';
    case 'unlocked':
      return 'unlocked';
    case 'locked':
      return door.is_held ? 'locked, person waiting' : 'locked';
  }
};

/** Follows the input rules of the controller, which a technician can edit. */
export const describeHowToOpenDoor = ({ code }: SimulatedDoorState): string => {
  if (code === null) return 'No input rule opens this door.';
  return code === '' ? 'Type a PIN, or tap a card or phone.' : `Type ${code}, then type a PIN or tap a card or phone.`;
};

/** The text on the display of a keypad. */
export const formatKeypadDisplay = (
  { entry, locked_until }: SimulatedReaderUnitState,
  power: SimulatedControllerState['power'],
  nameOf: (door: string) => string,
): string => {
  if (power === 'off') return '';
  if (power === 'starting') return 'Starting';
  if (locked_until !== null) return 'Locked out';
  if (entry.phase === 'code') return 'Which door?';
  if (entry.phase === 'armed') return entry.door === null ? 'PIN or card' : nameOf(entry.door);
  return 'Welcome';
};
