/** What an alert rule watches. */
export const alertKinds = [
  'door_forced',
  'door_held_open',
  'device_offline',
  'many_denials',
  'device_fault',
  'low_battery',
] as const;
export type AlertKind = (typeof alertKinds)[number];

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

export interface ObservedDoor extends Observed {
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
}

export interface ObservedState {
  readonly doors: readonly ObservedDoor[];
  readonly devices: readonly ObservedDevice[];
}

/** A condition that holds now. The subject is the same as long as the condition lasts. */
export interface AlertCondition {
  readonly subjectId: string;
  readonly siteId: string;
  readonly gadgetId: string | null;
  readonly deviceId: string | null;
  readonly text: string;
  readonly since: number;
}

const MINUTE = 60_000;
const LOW_BATTERY_PERCENT = 20;

const atDoor = ({ id, siteId }: ObservedDoor, text: string, since: number): AlertCondition => ({
  subjectId: id,
  siteId,
  gadgetId: id,
  deviceId: null,
  text,
  since,
});

const atDevice = ({ id, siteId }: ObservedDevice, text: string, since: number, part = ''): AlertCondition => ({
  subjectId: `${id}${part}`,
  siteId,
  gadgetId: null,
  deviceId: id,
  text,
  since,
});

const evaluateDoor = (rule: AlertRule, door: ObservedDoor, now: number): readonly AlertCondition[] => {
  const { name, state } = door;
  if (rule.kind === 'door_forced' && state === 'forced')
    return [atDoor(door, `${name} was opened without permission`, now)];
  if (rule.kind === 'door_held_open' && state === 'held_open') return [atDoor(door, `${name} is held open`, now)];
  if (rule.kind !== 'many_denials') return [];
  const recent = door.denials.filter(at => at > now - rule.minutes * MINUTE && at <= now);
  if (recent.length < rule.count) return [];
  return [atDoor(door, `${name} denied access ${recent.length} times in ${rule.minutes} minutes`, Math.min(...recent))];
};

const evaluateDevice = (rule: AlertRule, device: ObservedDevice, now: number): readonly AlertCondition[] => {
  const { name, seenAt, batteryPercent } = device;
  switch (rule.kind) {
    case 'device_offline': {
      const isLong = !device.isOnline && seenAt !== null && now - seenAt >= rule.minutes * MINUTE;
      return isLong ? [atDevice(device, `${name} is offline`, seenAt)] : [];
    }
    case 'device_fault':
      return device.faults.map(({ code, message, since }) =>
        atDevice(device, `${name}: ${message}`, since, `/${code}`),
      );
    case 'low_battery': {
      const isLow = batteryPercent !== null && batteryPercent < LOW_BATTERY_PERCENT;
      return isLow ? [atDevice(device, `${name}: battery at ${Math.round(batteryPercent)} %`, now)] : [];
    }
    default:
      return [];
  }
};

/** The conditions of a rule that hold at `now`. */
export const evaluateAlertRule = (rule: AlertRule, state: ObservedState, now: number): readonly AlertCondition[] =>
  [
    ...state.doors.flatMap(door => evaluateDoor(rule, door, now)),
    ...state.devices.flatMap(device => evaluateDevice(rule, device, now)),
  ].filter(({ siteId }) => rule.siteId === null || rule.siteId === siteId);

export interface AlertChanges {
  readonly raised: readonly AlertCondition[];
  /** Subjects of alerts whose condition has ended. */
  readonly resolved: readonly string[];
}

/** Each condition raises one alert while it lasts, and resolves it when it ends. */
export const compareAlertConditions = (
  activeSubjects: readonly string[],
  holding: readonly AlertCondition[],
): AlertChanges => {
  const active = new Set(activeSubjects);
  const subjects = new Set(holding.map(({ subjectId }) => subjectId));
  return {
    raised: holding.filter(({ subjectId }) => !active.has(subjectId)),
    resolved: activeSubjects.filter(subject => !subjects.has(subject)),
  };
};
