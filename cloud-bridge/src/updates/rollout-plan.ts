import { rolloutDeviceStates, type RolloutState } from '@lintel/wire-protocol/admin/rollout';

export interface Stage {
  readonly devices: number;
  readonly wait_s: number;
}

export interface StageWish {
  readonly percent?: number | undefined;
  readonly count?: number | undefined;
  readonly wait_s: number;
}

/** Percent are of all devices together with the stages before; whoever is left over comes last. */
export const stagesFor = (wishes: readonly StageWish[], total: number): readonly Stage[] => {
  const stages: Stage[] = [];
  let placed = 0;
  for (const { percent, count, wait_s } of wishes) {
    const upTo = percent === undefined ? placed + (count ?? 0) : Math.ceil((total * percent) / 100);
    const devices = Math.min(total, Math.max(placed, upTo)) - placed;
    if (devices > 0) stages.push({ devices, wait_s });
    placed += devices;
  }
  return placed < total ? [...stages, { devices: total - placed, wait_s: 0 }] : stages;
};

/** The stage of the device at this place in the list. */
export const stageAt = (stages: readonly Stage[], place: number): number => {
  let end = 0;
  return stages.findIndex(({ devices }) => place < (end += devices));
};

export interface PlannedDevice {
  readonly device_id: string;
  readonly stage: number;
  readonly state: string;
  readonly told_at: number | null;
  readonly updated_at: number;
  readonly isOnline: boolean;
}

export interface PlannedRollout {
  readonly stages: readonly Stage[];
  readonly stage: number;
  readonly stage_passed_at: number | null;
  readonly halt_after_failures: number;
  readonly forgiven_failures: number;
}

export interface Moves {
  /** Who hears the order now, for the first time or again. */
  readonly tell: readonly string[];
  /** Who is given up. */
  readonly lost: readonly string[];
  readonly change: {
    readonly state?: RolloutState;
    readonly reason?: string;
    readonly stage?: number;
    readonly stage_passed_at?: number | null;
  };
}

/** A controller that has not said anything so long after the switch will not come back by itself. */
export const SILENT_MS = 20 * 60_000;
const TELL_AGAIN_MS = 60_000;
const STALLED_MS = 10 * 60_000;

const isOver = (state: string): boolean => ['confirmed', 'rolled_back', 'failed', 'cancelled'].includes(state);
const isFailure = (state: string): boolean => state === 'rolled_back' || state === 'failed';

/** Before the switch an order can still be taken back. */
export const isUnderWay = (state: string): boolean => ['told', 'downloading', 'ready'].includes(state);

/** A device that was given up reports progress after all: it no longer counts as a failure, forgiven or not. */
export const isRecovery = (known: string, told: string): boolean => isFailure(known) && !isFailure(told);

const isDue = ({ state, isOnline, told_at, updated_at }: PlannedDevice, now: number): boolean => {
  if (!isOnline) return false;
  if (state === 'waiting') return true;
  const since = Math.max(told_at ?? 0, updated_at);
  return (state === 'told' && now - since > TELL_AGAIN_MS) || (isUnderWay(state) && now - since > STALLED_MS);
};

const isLost = ({ state, updated_at }: PlannedDevice, now: number): boolean =>
  state === 'switched' && now - updated_at > SILENT_MS;

/** Nobody is waited for who is away; but a stage that nobody has come through says nothing. */
const isPassed = (devices: readonly PlannedDevice[], stage: number): boolean => {
  const own = devices.filter(device => device.stage <= stage);
  const isQuiet = own.every(({ state, isOnline }) => isOver(state) || (state === 'waiting' && !isOnline));
  return isQuiet && own.some(device => device.stage === stage && isOver(device.state));
};

/** What a roll-out that runs has to do now. */
export const nextMoves = (rollout: PlannedRollout, devices: readonly PlannedDevice[], now: number): Moves => {
  const lost = devices.filter(device => isLost(device, now)).map(({ device_id }) => device_id);
  const failures = devices.filter(({ state }) => isFailure(state)).length + lost.length - rollout.forgiven_failures;
  if (failures >= rollout.halt_after_failures) {
    const reason = `${failures} of ${devices.length} devices have failed`;
    return { tell: [], lost, change: { state: 'halted', reason } };
  }
  if (devices.every(({ state }) => isOver(state))) return { tell: [], lost, change: { state: 'done' } };
  const tell = devices
    .filter(device => device.stage <= rollout.stage && isDue(device, now))
    .map(({ device_id }) => device_id);
  return { tell, lost, change: tell.length > 0 || lost.length > 0 ? {} : stageChange(rollout, devices, now) };
};

const stageChange = (rollout: PlannedRollout, devices: readonly PlannedDevice[], now: number): Moves['change'] => {
  const { stages, stage, stage_passed_at } = rollout;
  if (!isPassed(devices, stage)) return stage_passed_at === null ? {} : { stage_passed_at: null };
  if (stage >= stages.length - 1) return {};
  const wait_s = stages[stage]?.wait_s ?? 0;
  const passed = stage_passed_at ?? now;
  if (now - passed >= wait_s * 1000) return { stage: stage + 1, stage_passed_at: null };
  return stage_passed_at === null ? { stage_passed_at: now } : {};
};

/** Whether a controller's word changes what is known of it. What has come to its end stays, except what was given up. */
export const isNews = (known: string, told: string): boolean => {
  if (!(rolloutDeviceStates as readonly string[]).includes(told) || told === 'waiting' || told === 'told') return false;
  if (known === 'failed') return told !== 'failed' && told !== 'cancelled';
  if (known === 'cancelled') return told === 'switched' || told === 'confirmed' || told === 'rolled_back';
  return !isOver(known);
};
