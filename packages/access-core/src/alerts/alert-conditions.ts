import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import type { AlertKind } from './alert-kinds.ts';
import { type AlertDetails, noAlertNumbers } from './describe-alert.ts';

export interface AlertRule {
  readonly kind: AlertKind;
  /** `device_offline`: how long; `many_denials`: the period that is counted. */
  readonly minutes: number;
  /** `many_denials`: how many within the period. */
  readonly count: number;
  /** Null: all sites. */
  readonly siteId: string | null;
}

interface Observed {
  readonly id: string;
  readonly siteId: string;
  readonly name: string;
}

export interface ObservedGadget extends Observed {
  readonly state: string | null;
  /** Times of recent denials, in milliseconds. */
  readonly denials: readonly number[];
}

export interface ObservedDevice extends Observed {
  readonly isOnline: boolean;
  /** Null if it was never connected. */
  readonly seenAt: number | null;
  readonly faults: readonly { readonly code: string; readonly message: string; readonly since: number }[];
  /** Null without a battery or while it is charging. */
  readonly batteryPercent: number | null;
  /** The newest claim, if it is known. */
  readonly claim?: ObservedClaim | undefined;
}

export interface ObservedClaim {
  readonly at: number;
  readonly site: string;
  /** Null for an unknown person. */
  readonly user: string | null;
  /** For the confirmation of an administrator. */
  readonly waits: boolean;
}

/** A member who was added to a group and can now open all doors of a site. */
export interface ObservedMember extends Observed {
  readonly at: number;
  readonly site: string;
}

export interface ObservedDoorsAndDevices {
  readonly members?: readonly ObservedMember[] | undefined;
  readonly doors: readonly ObservedGadget[];
  readonly devices: readonly ObservedDevice[];
}

/** A condition that holds now. The subject is the same as long as the condition lasts. */
export interface ActiveAlertCondition {
  readonly subjectId: string;
  readonly siteId: string;
  readonly gadgetId: string | null;
  readonly deviceId: string | null;
  readonly details: AlertDetails;
  readonly since: number;
}

const LOW_BATTERY_PERCENT = 20;
/** A controller that needs no confirmation, and new access to all doors, are reported for a day. */
export const NEW_REPORTED_MS = 24 * HOUR_MS;

type Given = Partial<Omit<AlertDetails, 'name'>>;

const detailsOf = ({ name }: Observed, given: Given): AlertDetails => ({
  ...noAlertNumbers,
  fault: null,
  message: null,
  ...given,
  name,
});

const atDoor = (door: ObservedGadget, since: number, given: Given = {}): ActiveAlertCondition => ({
  subjectId: door.id,
  siteId: door.siteId,
  gadgetId: door.id,
  deviceId: null,
  details: detailsOf(door, given),
  since,
});

const atDevice = (device: ObservedDevice, since: number, given: Given = {}): ActiveAlertCondition => ({
  subjectId: given.fault == null ? device.id : `${device.id}/${given.fault}`,
  siteId: device.siteId,
  gadgetId: null,
  deviceId: device.id,
  details: detailsOf(device, given),
  since,
});

const evaluateDoor = (rule: AlertRule, door: ObservedGadget, now: number): readonly ActiveAlertCondition[] => {
  const { state } = door;
  if (rule.kind === 'door_forced' && state === 'forced') return [atDoor(door, now)];
  if (rule.kind === 'door_held_open' && state === 'held_open') return [atDoor(door, now)];
  if (rule.kind !== 'many_denials') return [];
  const { minutes } = rule;
  const recent = door.denials.filter(at => at > now - minutes * MINUTE_MS && at <= now);
  if (recent.length < rule.count) return [];
  return [atDoor(door, Math.min(...recent), { count: recent.length, minutes })];
};

const evaluateDevice = (rule: AlertRule, device: ObservedDevice, now: number): readonly ActiveAlertCondition[] => {
  const { seenAt, batteryPercent } = device;
  switch (rule.kind) {
    case 'device_offline': {
      const isLong = !device.isOnline && seenAt !== null && now - seenAt >= rule.minutes * MINUTE_MS;
      return isLong ? [atDevice(device, seenAt)] : [];
    }
    case 'device_fault':
      return device.faults.map(({ code, message, since }) => atDevice(device, since, { fault: code, message }));
    case 'low_battery': {
      const isLow = batteryPercent !== null && batteryPercent < LOW_BATTERY_PERCENT;
      return isLow ? [atDevice(device, now, { percent: Math.round(batteryPercent) })] : [];
    }
    case 'device_claimed': {
      const { claim } = device;
      if (claim === undefined || (!claim.waits && now - claim.at >= NEW_REPORTED_MS)) return [];
      return [atDevice(device, claim.at, { site: claim.site, user: claim.user, waits: claim.waits })];
    }
    default:
      return [];
  }
};

const evaluateMember = (rule: AlertRule, member: ObservedMember, now: number): readonly ActiveAlertCondition[] => {
  const { id, siteId, site, at } = member;
  if (rule.kind !== 'all_doors_access' || now - at >= NEW_REPORTED_MS) return [];
  const details = detailsOf(member, { site });
  return [{ subjectId: `${id}/${siteId}`, siteId, gadgetId: null, deviceId: null, details, since: at }];
};

/** The conditions of a rule that hold at `now`. */
export const evaluateAlertRule = (
  rule: AlertRule,
  state: ObservedDoorsAndDevices,
  now: number,
): readonly ActiveAlertCondition[] =>
  [
    ...state.doors.flatMap(door => evaluateDoor(rule, door, now)),
    ...state.devices.flatMap(device => evaluateDevice(rule, device, now)),
    ...(state.members ?? []).flatMap(member => evaluateMember(rule, member, now)),
  ].filter(({ siteId }) => rule.siteId === null || rule.siteId === siteId);

export interface AlertChanges {
  readonly raised: readonly ActiveAlertCondition[];
  /** Subjects of alerts whose condition has ended. */
  readonly resolved: readonly string[];
}

/** Each condition raises one alert while it lasts, and resolves it when it ends. */
export const computeAlertChanges = (
  activeSubjects: readonly string[],
  holding: readonly ActiveAlertCondition[],
): AlertChanges => {
  const active = new Set(activeSubjects);
  const subjects = new Set(holding.map(({ subjectId }) => subjectId));
  return {
    raised: holding.filter(({ subjectId }) => !active.has(subjectId)),
    resolved: activeSubjects.filter(subject => !subjects.has(subject)),
  };
};
