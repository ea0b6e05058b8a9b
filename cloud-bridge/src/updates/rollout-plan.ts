import { rolloutDeviceStates, type RolloutState } from '@lintel/wire-protocol/admin/rollout';

export interface RolloutStage {
  readonly devices: number;
  readonly wait_s: number;
}

export interface RolloutStageRequest {
  readonly percent?: number | undefined;
  readonly count?: number | undefined;
  readonly wait_s: number;
}

/** Percentages are cumulative over all devices. Remaining devices form the last stage. */
export const computeRolloutStages = (
  requests: readonly RolloutStageRequest[],
  total: number,
): readonly RolloutStage[] => {
  const stages: RolloutStage[] = [];
  let assigned = 0;
  for (const { percent, count, wait_s } of requests) {
    const upTo = percent === undefined ? assigned + (count ?? 0) : Math.ceil((total * percent) / 100);
    const devices = Math.min(total, Math.max(assigned, upTo)) - assigned;
    if (devices > 0) stages.push({ devices, wait_s });
    assigned += devices;
  }
  return assigned < total ? [...stages, { devices: total - assigned, wait_s: 0 }] : stages;
};

export const findRolloutStageIndex = (stages: readonly RolloutStage[], position: number): number => {
  let end = 0;
  return stages.findIndex(({ devices }) => position < (end += devices));
};

export interface DeviceInRollout {
  readonly device_id: string;
  readonly stage: number;
  readonly state: string;
  readonly told_at: number | null;
  readonly updated_at: number;
  readonly isOnline: boolean;
}

export interface RolloutPlanState {
  readonly stages: readonly RolloutStage[];
  readonly stage: number;
  readonly stage_passed_at: number | null;
  readonly halt_after_failures: number;
  readonly forgiven_failures: number;
}

export interface PlannedRolloutSteps {
  /** Devices that receive the install message now, for the first time or again. */
  readonly install: readonly string[];
  /** Devices that stayed silent after the switch and count as failed. */
  readonly lost: readonly string[];
  readonly change: {
    readonly state?: RolloutState;
    readonly reason?: string;
    readonly stage?: number;
    readonly stage_passed_at?: number | null;
  };
}

/** A device that sends no report for this time after the switch counts as failed. */
export const MAX_SILENCE_AFTER_SWITCH_MS = 20 * 60_000;
const RESEND_MS = 60_000;
const STALLED_MS = 10 * 60_000;

const isFinal = (state: string): boolean => ['confirmed', 'rolled_back', 'failed', 'cancelled'].includes(state);
const isFailure = (state: string): boolean => state === 'rolled_back' || state === 'failed';

/** Before the switch, the installation can be cancelled. */
export const isBeforeSlotSwitch = (state: string): boolean => ['told', 'downloading', 'ready'].includes(state);

/** A failed device reports progress, so it no longer counts as a failure. */
export const hasRolloutDeviceRecovered = (known: string, reported: string): boolean =>
  isFailure(known) && !isFailure(reported);

const isDue = ({ state, isOnline, told_at, updated_at }: DeviceInRollout, now: number): boolean => {
  if (!isOnline) return false;
  if (state === 'waiting') return true;
  const since = Math.max(told_at ?? 0, updated_at);
  return (state === 'told' && now - since > RESEND_MS) || (isBeforeSlotSwitch(state) && now - since > STALLED_MS);
};

const isSilentAfterSwitch = ({ state, updated_at }: DeviceInRollout, now: number): boolean =>
  state === 'switched' && now - updated_at > MAX_SILENCE_AFTER_SWITCH_MS;

/** Does not wait for offline devices, but requires at least one result of the stage. */
const hasStagePassed = (devices: readonly DeviceInRollout[], stage: number): boolean => {
  const own = devices.filter(device => device.stage <= stage);
  const isSettled = own.every(({ state, isOnline }) => isFinal(state) || (state === 'waiting' && !isOnline));
  return isSettled && own.some(device => device.stage === stage && isFinal(device.state));
};

/** Plans the next steps of a running roll-out. */
export const planRolloutSteps = (
  rollout: RolloutPlanState,
  devices: readonly DeviceInRollout[],
  now: number,
): PlannedRolloutSteps => {
  const lost = devices.filter(device => isSilentAfterSwitch(device, now)).map(({ device_id }) => device_id);
  const failures = devices.filter(({ state }) => isFailure(state)).length + lost.length - rollout.forgiven_failures;
  if (failures >= rollout.halt_after_failures) {
    const reason = `${failures} of ${devices.length} devices failed`;
    return { install: [], lost, change: { state: 'halted', reason } };
  }
  if (devices.every(({ state }) => isFinal(state))) return { install: [], lost, change: { state: 'done' } };
  const install = devices
    .filter(device => device.stage <= rollout.stage && isDue(device, now))
    .map(({ device_id }) => device_id);
  return { install, lost, change: install.length > 0 || lost.length > 0 ? {} : stageChange(rollout, devices, now) };
};

const stageChange = (
  rollout: RolloutPlanState,
  devices: readonly DeviceInRollout[],
  now: number,
): PlannedRolloutSteps['change'] => {
  const { stages, stage, stage_passed_at } = rollout;
  if (!hasStagePassed(devices, stage)) return stage_passed_at === null ? {} : { stage_passed_at: null };
  if (stage >= stages.length - 1) return {};
  const wait_s = stages[stage]?.wait_s ?? 0;
  const passed = stage_passed_at ?? now;
  if (now - passed >= wait_s * 1000) return { stage: stage + 1, stage_passed_at: null };
  return stage_passed_at === null ? { stage_passed_at: now } : {};
};

/** Whether a report changes the state of the device. Final states do not change, except for a failed device. */
export const changesRolloutDeviceState = (known: string, reported: string): boolean => {
  if (!(rolloutDeviceStates as readonly string[]).includes(reported) || reported === 'waiting' || reported === 'told')
    return false;
  if (known === 'failed') return reported !== 'failed' && reported !== 'cancelled';
  if (known === 'cancelled') return reported === 'switched' || reported === 'confirmed' || reported === 'rolled_back';
  return !isFinal(known);
};
