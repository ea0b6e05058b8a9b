import type { ControllerState, StationState } from '@lintel/wire-protocol/simulator/controller-state';
import type { DoorAlarm, DoorState } from '@lintel/wire-protocol/simulator/door-state';
import { boardLines, type ControllerPlan, type DoorPlan } from './controller-plan.ts';

const idleStation: StationState = {
  id: boardLines.station,
  green: false,
  red: false,
  buzzer: false,
  entry: { phase: 'idle', door: null },
  locked_until: null,
};

/** What a controller without power does not have. */
export const poweredOff = {
  power: 'off',
  is_connected: false,
  is_online: false,
  waiting_events: 0,
  revision: null,
  clock: null,
  faults: [],
  stations: [idleStation],
  technician: null,
} as const satisfies Partial<ControllerState>;

export const initialController = ({ key, name, deviceId, upstream }: ControllerPlan): ControllerState => ({
  key,
  name,
  device_id: deviceId,
  upstream,
  ...poweredOff,
  supply: { mains: true, battery: true, charging: true },
  is_disk_full: false,
  is_housing_open: false,
});

export const initialDoor = (plan: ControllerPlan, { key, name, site, gadgetId, code }: DoorPlan): DoorState => ({
  key,
  name,
  site,
  controller: plan.key,
  station: boardLines.station,
  gadget_id: gadgetId,
  code,
  is_unlocked: false,
  leaf: 'closed',
  is_held: false,
  state_id: null,
  alarm: null,
});

const alarms: ReadonlySet<string | null> = new Set<DoorAlarm>(['held_open', 'forced']);

export const gadgetState = (state_id: string | null): Pick<DoorState, 'state_id' | 'alarm'> => ({
  state_id,
  alarm: alarms.has(state_id) ? (state_id as DoorAlarm) : null,
});

/** Changes when the page should be told; the clock runs by itself. */
export const comparableForm = ({ clock, ...state }: ControllerState, now: number): string => {
  const ahead = clock === null ? null : Math.round((Date.parse(clock.time) - now) / 5000);
  return JSON.stringify([state, clock?.trusted, clock?.source, clock?.stepped_ms, ahead]);
};
