import { type Monotonic, monotonic } from '../monotonic.ts';
import type { DoorConfig } from './door-config.ts';

export type ContactLevel = 'closed' | 'open' | 'unknown';
export type DoorStateId = 'unknown' | 'locked' | 'unlocked' | 'open' | 'held_open' | 'forced';
export type DoorAlarm = 'none' | 'pre_alarm' | 'held_open' | 'forced';

/** Plain data. */
export interface DoorState {
  /** `unlocked` stays until `lock`; `normal` is locked but for momentary openings. */
  readonly mode: 'normal' | 'unlocked';
  readonly contact: ContactLevel;
  /** End of the momentary opening that is running. */
  readonly strike_until: Monotonic | null;
  /** Up to here, exclusive, an opening belongs to the unlocking that has just ended. */
  readonly grace_until: Monotonic | null;
  readonly pre_alarm_at: Monotonic | null;
  readonly held_open_at: Monotonic | null;
  readonly alarm: DoorAlarm;
}

export const isUnlocked = (state: DoorState): boolean => state.mode === 'unlocked' || state.strike_until !== null;

export const doorStateId = (config: DoorConfig, state: DoorState): DoorStateId => {
  if (state.alarm === 'forced' || state.alarm === 'held_open') return state.alarm;
  if (state.contact === 'open') return 'open';
  if (isUnlocked(state)) return 'unlocked';
  return config.contact && state.contact === 'unknown' ? 'unknown' : 'locked';
};

export const nextDoorDeadline = (state: DoorState): Monotonic | null => {
  const deadlines = [state.strike_until, state.pre_alarm_at, state.held_open_at].filter(at => at !== null);
  return deadlines.length === 0 ? null : monotonic(Math.min(...deadlines));
};
