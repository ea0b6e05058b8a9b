import type { SimulatedControllerState } from '@lintel/wire-protocol/simulator/controller-and-gateway-state';
import type { SimulatedLinkMode, SimulatedLinkGroup } from '@lintel/wire-protocol/simulator/network-links';
import type { SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { createSiteTime } from '../../components/texts/site-time.ts';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The common mode of all connections of a switch; null when they differ. */
export const findCommonLinkMode = ({ lines }: SimulatorState, which: SimulatedLinkGroup): SimulatedLinkMode | null => {
  const modes = new Set(lines.filter(line => line.switch === which).map(({ mode }) => mode));
  const [first] = modes;
  return modes.size === 1 ? first! : null;
};

/** Counts only what waits for the connections of this switch. Controllers behind the gateway need the internet, too. */
const describeQueue = (world: SimulatorState, which: SimulatedLinkGroup): string => {
  const waiting = world.controllers
    .filter(({ upstream }) => which === 'internet' || upstream === 'gateway')
    .reduce((sum, { waiting_events }) => sum + waiting_events, 0);
  return waiting > 0 ? `Events queued: ${waiting} at the controllers.` : 'Nothing queued.';
};

export const describeLinkEffect = (world: SimulatorState, which: SimulatedLinkGroup): string => {
  const open = world.lines.filter(line => line.switch === which).reduce((sum, { connections }) => sum + connections, 0);
  const connections = plural(open, 'connection', 'connections');
  switch (findCommonLinkMode(world, which)) {
    case 'up':
      return `Working, ${connections}. ${describeQueue(world, which)}`;
    case 'slow':
      return `All data is delayed. ${describeQueue(world, which)}`;
    case 'half_open':
      return `${connections} open, but no data arrives. ${describeQueue(world, which)}`;
    case 'cut':
      return `Connections refused. Doors decide locally. ${describeQueue(world, which)}`;
    case null:
      return `The connections have different settings. ${describeQueue(world, which)}`;
  }
};

export const describePowerEffect = ({ power }: SimulatedControllerState): string => {
  switch (power) {
    case 'on':
      return 'The firmware is running.';
    case 'starting':
      return 'The firmware is starting.';
    case 'off':
      return 'The firmware has stopped. The doors stay as they are.';
  }
};

export const describeSupplyEffect = ({ supply: { mains, battery } }: SimulatedControllerState): string => {
  if (mains) return battery ? 'On mains, battery charging.' : 'On mains, no battery.';
  return battery ? 'On battery.' : 'No power.';
};

export const describeClockEffect = ({ clock }: SimulatedControllerState, timeZone: string): string => {
  if (clock === null) return 'No time reported.';
  const options = { weekday: 'short', hour: '2-digit', minute: '2-digit' } as const;
  const time = createSiteTime('en-GB', timeZone).format(options, new Date(clock.time));
  const trust = clock.trusted ? 'trusted' : 'not trusted';
  return `Last reported time: ${time}, ${trust} (${clock.source.replaceAll('_', ' ')}).`;
};

export const describeDiskEffect = ({ is_disk_full, waiting_events, faults }: SimulatedControllerState): string => {
  if (!is_disk_full) return 'Events are saved before the lock moves.';
  const fault = faults.find(({ code }) => /disk|store/.test(code));
  return fault?.message ?? `The disk is full. ${plural(waiting_events, 'event', 'events')} queued.`;
};

export const describeHousingEffect = ({ is_housing_open }: SimulatedControllerState): string =>
  is_housing_open ? 'Tamper switch triggered.' : 'Closed.';
