import type { Monotonic } from '../monotonic.ts';
import type { DoorConfig } from './door-config.ts';
import { type DoorAlarm, type DoorState, type DoorStateId, doorStateId, isUnlocked } from './door-state.ts';

type DoorSignalId = 'exit_button' | 'pre_alarm' | 'held_open' | 'forced' | 'contact_fault';

/** `at` is when it happened, which is earlier than now when the owner was late. */
export type DoorEffect =
  /** `pulse_ms` lets a board that can do so time the relock itself; null: until `release_strike`. */
  | { readonly type: 'energize_strike'; readonly pulse_ms: number | null }
  | { readonly type: 'release_strike' }
  | { readonly type: 'report_state'; readonly state_id: DoorStateId; readonly at: Monotonic }
  | { readonly type: 'signal'; readonly signal_id: DoorSignalId; readonly at: Monotonic }
  | { readonly type: 'feedback'; readonly kind: 'quiet' | 'refused' | Exclude<DoorAlarm, 'none'> }
  | { readonly type: 'refused'; readonly reason: 'interlock'; readonly message: string; readonly at: Monotonic };

const strikeEffects = (before: DoorState, after: DoorState, at: Monotonic): DoorEffect[] => {
  if (!isUnlocked(after)) return isUnlocked(before) ? [{ type: 'release_strike' }] : [];
  if (before.mode === after.mode && before.strike_until === after.strike_until) return [];
  return [{ type: 'energize_strike', pulse_ms: after.strike_until === null ? null : after.strike_until - at }];
};

const alarmEffects = (before: DoorState, after: DoorState, at: Monotonic): DoorEffect[] => {
  if (before.alarm === after.alarm) return [];
  if (after.alarm === 'none') return [{ type: 'feedback', kind: 'quiet' }];
  return [
    { type: 'signal', signal_id: after.alarm, at },
    { type: 'feedback', kind: after.alarm },
  ];
};

/** Everything the world has to be told about one step, derived from the two states so that no step can forget it. */
export const effectsBetween = (
  config: DoorConfig,
  before: DoorState,
  after: DoorState,
  at: Monotonic,
): DoorEffect[] => {
  const effects = [...strikeEffects(before, after, at), ...alarmEffects(before, after, at)];
  if (before.contact !== 'unknown' && after.contact === 'unknown')
    effects.push({ type: 'signal', signal_id: 'contact_fault', at });
  const state_id = doorStateId(config, after);
  if (state_id !== doorStateId(config, before)) effects.push({ type: 'report_state', state_id, at });
  return effects;
};
