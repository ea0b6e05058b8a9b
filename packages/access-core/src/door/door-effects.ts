import type { MonotonicTime } from '../monotonic-time.ts';
import type { DoorConfig } from './door-config.ts';
import { type DoorAlarm, type DoorState, type DoorStateId, computeDoorStateId, isDoorUnlocked } from './door-state.ts';

type DoorSignalId = 'exit_button' | 'pre_alarm' | 'held_open' | 'forced' | 'contact_fault';

/** `at` is the time of the occurrence, which is earlier than now if the owner was late. */
export type DoorEffect =
  /** `pulse_ms` lets a capable board time the relock itself; null: until `release_strike`. */
  | { readonly type: 'energize_strike'; readonly pulse_ms: number | null }
  | { readonly type: 'release_strike' }
  | { readonly type: 'report_state'; readonly state_id: DoorStateId; readonly at: MonotonicTime }
  | { readonly type: 'signal'; readonly signal_id: DoorSignalId; readonly at: MonotonicTime }
  | { readonly type: 'feedback'; readonly kind: 'quiet' | 'refused' | Exclude<DoorAlarm, 'none'> }
  | { readonly type: 'refused'; readonly reason: 'interlock'; readonly message: string; readonly at: MonotonicTime };

const strikeEffects = (before: DoorState, after: DoorState, at: MonotonicTime): DoorEffect[] => {
  if (!isDoorUnlocked(after)) return isDoorUnlocked(before) ? [{ type: 'release_strike' }] : [];
  if (before.mode === after.mode && before.strike_until === after.strike_until) return [];
  return [{ type: 'energize_strike', pulse_ms: after.strike_until === null ? null : after.strike_until - at }];
};

const alarmEffects = (before: DoorState, after: DoorState, at: MonotonicTime): DoorEffect[] => {
  if (before.alarm === after.alarm) return [];
  if (after.alarm === 'none') return [{ type: 'feedback', kind: 'quiet' }];
  return [
    { type: 'signal', signal_id: after.alarm, at },
    { type: 'feedback', kind: after.alarm },
  ];
};

/** All effects of one step, derived from the states before and after, so that no step can omit one. */
export const computeDoorEffects = (
  config: DoorConfig,
  before: DoorState,
  after: DoorState,
  at: MonotonicTime,
): DoorEffect[] => {
  const effects = [...strikeEffects(before, after, at), ...alarmEffects(before, after, at)];
  if (before.contact !== 'unknown' && after.contact === 'unknown')
    effects.push({ type: 'signal', signal_id: 'contact_fault', at });
  const state_id = computeDoorStateId(config, after);
  if (state_id !== computeDoorStateId(config, before)) effects.push({ type: 'report_state', state_id, at });
  return effects;
};
