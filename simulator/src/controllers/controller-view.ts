import type { ControllerState, StationState } from '@lintel/wire-protocol/simulator/controller-state';
import type { DoorAlarm, DoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { TechnicianStatus } from '@lintel/wire-protocol/technician/status';
import { boardLines, type ControllerPlan, type DoorPlan } from './controller-plan.ts';

/** All that is known of a controller and of the world around it. */
export interface ControllerView {
  readonly plan: ControllerPlan;
  readonly power: ControllerState['power'];
  /** What its technician's page said last; null while it is off. */
  readonly status: TechnicianStatus | null;
  readonly entry: StationState['entry'];
  readonly lockedUntil: number | null;
  readonly supply: { readonly mains: boolean; readonly battery: boolean };
  readonly isHousingOpen: boolean;
  readonly isDiskFull: boolean;
  readonly stepped_ms: number;
  readonly page: string | null;
  readonly isOn: (output: string) => boolean;
}

const stationState = ({ isOn, entry, lockedUntil }: ControllerView): StationState => ({
  id: boardLines.station,
  green: isOn(boardLines.green),
  red: isOn(boardLines.red),
  buzzer: isOn(boardLines.buzzer),
  entry,
  locked_until: lockedUntil === null ? null : new Date(lockedUntil).toISOString(),
});

export const controllerState = (view: ControllerView): ControllerState => {
  const { plan, status, supply, stepped_ms } = view;
  return {
    key: plan.key,
    name: plan.name,
    device_id: plan.deviceId,
    upstream: plan.upstream,
    power: view.power,
    is_connected: status?.upstream.connected ?? false,
    is_online: status?.upstream.online ?? false,
    waiting_events: status?.waiting_events ?? 0,
    revision: status?.slice?.revision ?? null,
    clock: status === null ? null : { ...status.clock, stepped_ms },
    supply: { ...supply, charging: supply.mains && supply.battery },
    is_disk_full: view.isDiskFull,
    is_housing_open: view.isHousingOpen,
    faults: (status?.faults ?? []).map(({ code, message }) => ({ code, message })),
    stations: [stationState(view)],
    technician: view.page,
  };
};

/** What of a controller's state is worth telling: its clock runs by itself. */
export const tellingForm = ({ clock, ...state }: ControllerState, now: number): string => {
  const ahead = clock === null ? null : Math.round((Date.parse(clock.time) - now) / 5000);
  return JSON.stringify([state, clock?.trusted, clock?.source, clock?.stepped_ms, ahead]);
};

const alarms: ReadonlySet<string | null> = new Set<DoorAlarm>(['held_open', 'forced']);

interface LeafView {
  readonly isOpen: boolean;
  readonly isHeld: boolean;
}

export const doorState = (
  { plan, power, isOn }: ControllerView,
  { key, name, site, gadgetId, code, lines }: DoorPlan,
  leaf: LeafView,
  told: string | undefined,
): DoorState => {
  const state_id = power === 'off' ? null : (told ?? null);
  return {
    key,
    name,
    site,
    controller: plan.key,
    station: boardLines.station,
    gadget_id: gadgetId,
    code,
    is_unlocked: isOn(lines.strike),
    leaf: leaf.isOpen ? 'open' : 'closed',
    is_held: leaf.isHeld,
    state_id,
    alarm: alarms.has(state_id) ? (state_id as DoorAlarm) : null,
  };
};
