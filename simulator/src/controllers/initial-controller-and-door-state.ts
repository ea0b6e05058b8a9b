import type {
  SimulatedControllerState,
  SimulatedReaderUnitState,
} from '@lintel/wire-protocol/simulator/controller-and-gateway-state';
import type { SimulatedDoorAlarm, SimulatedDoorState } from '@lintel/wire-protocol/simulator/door-state';
import {
  demoProfilePartNames,
  type DemoControllerPlan,
  type DemoDoorPlan,
} from './demo-controller-plan-types-and-part-names.ts';

const idleStation: SimulatedReaderUnitState = {
  id: demoProfilePartNames.station,
  green: false,
  red: false,
  buzzer: false,
  entry: { phase: 'idle', door: null },
  locked_until: null,
};

/** The fields that a power cut resets. */
export const poweredOffControllerState = {
  power: 'off',
  is_connected: false,
  is_online: false,
  waiting_events: 0,
  revision: null,
  clock: null,
  faults: [],
  stations: [idleStation],
  technician: null,
} as const satisfies Partial<SimulatedControllerState>;

export const createInitialControllerState = ({
  key,
  name,
  deviceId,
  upstream,
}: DemoControllerPlan): SimulatedControllerState => ({
  key,
  name,
  device_id: deviceId,
  upstream,
  ...poweredOffControllerState,
  supply: { mains: true, battery: true, charging: true },
  is_disk_full: false,
  is_housing_open: false,
});

export const createInitialDoorState = (
  plan: DemoControllerPlan,
  { key, name, site, gadgetId, code }: DemoDoorPlan,
): SimulatedDoorState => ({
  key,
  name,
  site,
  controller: plan.key,
  station: demoProfilePartNames.station,
  gadget_id: gadgetId,
  code,
  is_unlocked: false,
  leaf: 'closed',
  is_held: false,
  state_id: null,
  alarm: null,
});

const alarms: ReadonlySet<string | null> = new Set<SimulatedDoorAlarm>(['held_open', 'forced']);

export const toDoorGadgetState = (state_id: string | null): Pick<SimulatedDoorState, 'state_id' | 'alarm'> => ({
  state_id,
  alarm: alarms.has(state_id) ? (state_id as SimulatedDoorAlarm) : null,
});

/** Two states with the same signature look the same on the page. A running clock does not change the signature. */
export const encodeVisibleControllerState = ({ clock, ...state }: SimulatedControllerState, now: number): string => {
  const ahead = clock === null ? null : Math.round((Date.parse(clock.time) - now) / 5000);
  return JSON.stringify([state, clock?.trusted, clock?.source, clock?.stepped_ms, ahead]);
};
