import type { ControllerState } from '@lintel/wire-protocol/simulator/controller-state';
import type { LineMode, LineSwitch } from '@lintel/wire-protocol/simulator/switches';
import type { World } from '@lintel/wire-protocol/simulator/world';

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** What all lines of a switch do; null when they differ. */
export const modeOfSwitch = ({ lines }: World, which: LineSwitch): LineMode | null => {
  const modes = new Set(lines.filter(line => line.switch === which).map(({ mode }) => mode));
  const [first] = modes;
  return modes.size === 1 ? first! : null;
};

const waiting = (world: World): string => {
  const atDoors = world.controllers.reduce((sum, { waiting_events }) => sum + waiting_events, 0);
  const atGateway = world.gateway.waiting_events;
  // Not to be added up: a door keeps what the gateway holds, too, until the bridge has it.
  const places = [
    atDoors > 0 ? `${countOf(atDoors, 'event waits', 'events wait')} at the doors` : null,
    atGateway > 0 ? `the gateway holds ${atGateway}` : null,
  ].filter(words => words !== null);
  return places.length > 0 ? `${places.join(', ')}.`.replace(/^t/, 'T') : 'Nothing waits.';
};

/** What a switch of lines means at this moment. */
export const lineEffect = (world: World, which: LineSwitch): string => {
  const mode = modeOfSwitch(world, which);
  const open = world.lines.filter(line => line.switch === which).reduce((sum, { connections }) => sum + connections, 0);
  switch (mode) {
    case 'up':
      return `Up, with ${countOf(open, 'connection', 'connections')}. ${waiting(world)}`;
    case 'slow':
      return `Everything arrives late. ${waiting(world)}`;
    case 'half_open':
      return `${countOf(open, 'connection stands', 'connections stand')}, nothing comes through. ${waiting(world)}`;
    case 'cut':
      return `Refused at both ends. Doors decide by themselves. ${waiting(world)}`;
    case null:
      return `Its lines differ. ${waiting(world)}`;
  }
};

export const powerEffect = ({ power }: ControllerState): string => {
  switch (power) {
    case 'on':
      return 'The firmware runs.';
    case 'starting':
      return 'The firmware starts.';
    case 'off':
      return 'The process is dead; the doors hold as they are.';
  }
};

export const supplyEffect = ({ supply: { mains, battery } }: ControllerState): string => {
  if (mains) return battery ? 'On mains, the battery charges.' : 'On mains, without a battery.';
  return battery ? 'On battery.' : 'Without current.';
};

export const clockEffect = ({ clock }: ControllerState, timeZone: string): string => {
  if (clock === null) return 'It tells no time now.';
  const form = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit', timeZone });
  const believed = `It believed ${form.format(new Date(clock.time))} when asked last`;
  return `${believed}; ${clock.trusted ? 'trusted' : 'not trusted'}, from ${clock.source.replaceAll('_', ' ')}.`;
};

export const diskEffect = ({ is_disk_full, waiting_events, faults }: ControllerState): string => {
  if (!is_disk_full) return 'Events are written before the lock moves.';
  const told = faults.find(({ code }) => /disk|store/.test(code));
  return told?.message ?? `No byte more fits. ${countOf(waiting_events, 'event waits', 'events wait')}.`;
};

export const housingEffect = ({ is_housing_open }: ControllerState): string =>
  is_housing_open ? 'The tamper switch tells of it.' : 'Closed.';
