import { type MonotonicTime, monotonic } from '../monotonic-time.ts';
import type { DoorConfig } from './door-config.ts';

export type ContactLevel = 'closed' | 'open' | 'unknown';
export type DoorStateId = 'unknown' | 'locked' | 'unlocked' | 'open' | 'held_open' | 'forced';
export type DoorAlarm = 'none' | 'pre_alarm' | 'held_open' | 'forced';

export interface DoorState {
  /** `unlocked` lasts until `lock`; `normal` is locked except for momentary unlocks. */
  readonly mode: 'normal' | 'unlocked';
  readonly contact: ContactLevel;
  /** End of the current momentary unlock. */
  readonly strike_until: MonotonicTime | null;
  /** Until then, exclusive, an opening belongs to the previous unlock. */
  readonly grace_until: MonotonicTime | null;
  readonly pre_alarm_at: MonotonicTime | null;
  readonly held_open_at: MonotonicTime | null;
  readonly alarm: DoorAlarm;
}

export const isDoorUnlocked = (state: DoorState): boolean => state.mode === 'unlocked' || state.strike_until !== null;

export const computeDoorStateId = (config: DoorConfig, state: DoorState): DoorStateId => {
  if (state.alarm === 'forced' || state.alarm === 'held_open') return state.alarm;
  if (state.contact === 'open') return 'open';
  if (isDoorUnlocked(state)) return 'unlocked';
  return config.contact && state.contact === 'unknown' ? 'unknown' : 'locked';
};

export const nextDoorDeadline = (state: DoorState): MonotonicTime | null => {
  const deadlines = [state.strike_until, state.pre_alarm_at, state.held_open_at].filter(at => at !== null);
  return deadlines.length === 0 ? null : monotonic(Math.min(...deadlines));
};
