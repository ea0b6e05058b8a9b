import { HOUR_MS } from '../durations.ts';
import { FieldReader } from '../untrusted-field-reader.ts';
import type { Result } from '../result.ts';

/** Equipment and timing of a door. Durations use the monotonic clock, never the wall clock. */
export interface DoorConfig {
  readonly strike_ms: number;
  /** When a momentary unlock ends early. The strike time ends it in any case. */
  readonly relock_on: 'time' | 'open' | 'close';
  readonly contact: boolean;
  readonly exit_button: boolean;
  /** Null: the door may stay open indefinitely. */
  readonly held_open_ms: number | null;
  /** How long before `held_open_ms` the buzzer warns; 0: no warning. */
  readonly pre_alarm_ms: number;
  readonly forced_alarm: boolean;
  /** How long after relocking an opening still belongs to the granted access. */
  readonly forced_grace_ms: number;
  /** Doors with the same group open one at a time. */
  readonly interlock_group: string | null;
  /** The exit button works regardless of the interlock. False only if another way out is always available. */
  readonly egress_ignores_interlock: boolean;
}

const FIELDS = [
  'strike_ms',
  'relock_on',
  'contact',
  'exit_button',
  'held_open_ms',
  'pre_alarm_ms',
  'forced_alarm',
  'forced_grace_ms',
  'interlock_group',
  'egress_ignores_interlock',
] as const satisfies readonly (keyof DoorConfig)[];

const LONGEST_STRIKE_MS = 300_000;
const LONGEST_HELD_OPEN_MS = 24 * HOUR_MS;
const LONGEST_GRACE_MS = 60_000;

/** From an action until the door's last automatic report: opened at the last moment, then held open. */
export const MAX_DOOR_ACTION_MS = LONGEST_STRIKE_MS + LONGEST_GRACE_MS + LONGEST_HELD_OPEN_MS;

/** Defaults: 5 s strike time, relock on time, no contact and no exit button. */
export const parseDoorConfig = (input: unknown, path = ''): Result<DoorConfig> => {
  const fields = new FieldReader(input, path, FIELDS);
  const contact = fields.boolean('contact', false);
  const config: DoorConfig = {
    strike_ms: fields.milliseconds('strike_ms', 100, LONGEST_STRIKE_MS, 5_000),
    relock_on: fields.oneOf('relock_on', ['time', 'open', 'close'], 'time'),
    contact,
    exit_button: fields.boolean('exit_button', false),
    held_open_ms: fields.isSet('held_open_ms')
      ? fields.milliseconds('held_open_ms', 1_000, LONGEST_HELD_OPEN_MS)
      : null,
    pre_alarm_ms: fields.milliseconds('pre_alarm_ms', 0, HOUR_MS, 0),
    forced_alarm: fields.boolean('forced_alarm', contact),
    forced_grace_ms: fields.milliseconds('forced_grace_ms', 0, LONGEST_GRACE_MS, 2_000),
    interlock_group: fields.isSet('interlock_group') ? fields.name('interlock_group') : null,
    egress_ignores_interlock: fields.boolean('egress_ignores_interlock', true),
  };
  const needsContact = (field: keyof DoorConfig, used: boolean): void => {
    if (used && !contact) fields.refuse(field, 'needs_contact', 'requires a door contact');
  };
  needsContact('relock_on', config.relock_on !== 'time');
  needsContact('held_open_ms', config.held_open_ms !== null);
  needsContact('forced_alarm', config.forced_alarm);
  if (config.pre_alarm_ms > 0 && (config.held_open_ms === null || config.pre_alarm_ms >= config.held_open_ms))
    fields.refuse('pre_alarm_ms', 'invalid_duration', 'must be shorter than held_open_ms');
  return fields.problems.resultOf(config);
};
