import { addMilliseconds, type MonotonicTime, monotonic } from '../monotonic-time.ts';
import type { DoorConfig } from './door-config.ts';
import { type DoorEffect, computeDoorEffects } from './door-effects.ts';
import {
  type ContactLevel,
  type DoorState,
  computeDoorStateId,
  isDoorUnlocked,
  nextDoorDeadline,
} from './door-state.ts';

export type DoorInput =
  | { readonly type: 'action'; readonly action: 'open' | 'unlock' | 'lock' }
  | { readonly type: 'exit_button' }
  /** The level, not an edge: a repeated level has no effect. `unknown` is a line fault. */
  | { readonly type: 'contact'; readonly level: ContactLevel }
  | { readonly type: 'timer' };

interface DoorStep {
  readonly state: DoorState;
  readonly effects: readonly DoorEffect[];
}

/**
 * State after power-up. The contact is unknown until its first report, so a door that is open then was not forced.
 * `mode` is the mode saved by the owner.
 */
export const createInitialDoorStep = (config: DoorConfig, mode: DoorState['mode'], now: MonotonicTime): DoorStep => {
  const state: DoorState = {
    mode,
    contact: 'unknown',
    strike_until: null,
    grace_until: null,
    pre_alarm_at: null,
    held_open_at: null,
    alarm: 'none',
  };
  const strike: DoorEffect =
    mode === 'unlocked' ? { type: 'energize_strike', pulse_ms: null } : { type: 'release_strike' };
  return { state, effects: [strike, { type: 'report_state', state_id: computeDoorStateId(config, state), at: now }] };
};

const withoutHeldTimers = (state: DoorState): DoorState => ({ ...state, pre_alarm_at: null, held_open_at: null });

/** Starts the held-open timers. An active alarm stays. */
const withHeldTimers = (config: DoorConfig, state: DoorState, now: MonotonicTime): DoorState => {
  if (state.contact !== 'open' || state.mode === 'unlocked' || config.held_open_ms === null) return state;
  if (state.alarm === 'held_open' || state.alarm === 'forced') return state;
  const held_open_at = addMilliseconds(now, config.held_open_ms);
  const pre_alarm_at = config.pre_alarm_ms > 0 ? addMilliseconds(held_open_at, -config.pre_alarm_ms) : null;
  return { ...state, alarm: 'none', pre_alarm_at, held_open_at };
};

const relocked = (config: DoorConfig, state: DoorState, now: MonotonicTime): DoorState =>
  isDoorUnlocked(state)
    ? { ...state, mode: 'normal', strike_until: null, grace_until: addMilliseconds(now, config.forced_grace_ms) }
    : state;

/** A second unlock during the first one extends it: one relock, at the later time. */
const openedForAMoment = (config: DoorConfig, state: DoorState, now: MonotonicTime): DoorState =>
  state.mode === 'unlocked'
    ? state
    : withHeldTimers(
        config,
        { ...state, strike_until: monotonic(Math.max(state.strike_until ?? now, now + config.strike_ms)) },
        now,
      );

/** A permanent unlock ends all alarms. */
const unlockedForGood = (state: DoorState): DoorState => ({
  ...withoutHeldTimers(state),
  mode: 'unlocked',
  strike_until: null,
  alarm: 'none',
});

const closed = (config: DoorConfig, before: DoorState, now: MonotonicTime): DoorState => {
  const state: DoorState = { ...withoutHeldTimers(before), contact: 'closed', alarm: 'none' };
  const endsOpening = config.relock_on === 'close' && before.contact === 'open' && state.strike_until !== null;
  return endsOpening ? relocked(config, state, now) : state;
};

const opened = (config: DoorConfig, before: DoorState, now: MonotonicTime): DoorState => {
  const state: DoorState = { ...before, contact: 'open' };
  const allowed = isDoorUnlocked(state) || (state.grace_until !== null && now < state.grace_until);
  if (config.forced_alarm && before.contact === 'closed' && !allowed) return { ...state, alarm: 'forced' };
  const timed = withHeldTimers(config, state, now);
  return config.relock_on === 'open' && timed.strike_until !== null ? relocked(config, timed, now) : timed;
};

/**
 * Without the contact the open time is unknown. An active alarm stays, because cutting the wire must not silence it.
 */
const contactLost = (state: DoorState): DoorState => ({
  ...withoutHeldTimers(state),
  contact: 'unknown',
  alarm: state.alarm === 'pre_alarm' ? 'none' : state.alarm,
});

const withContact = (config: DoorConfig, state: DoorState, level: ContactLevel, now: MonotonicTime): DoorState => {
  if (!config.contact || level === state.contact) return state;
  if (level === 'unknown') return contactLost(state);
  return level === 'open' ? opened(config, state, now) : closed(config, state, now);
};

const withAction = (
  config: DoorConfig,
  state: DoorState,
  action: 'open' | 'unlock' | 'lock',
  now: MonotonicTime,
): DoorState => {
  if (action === 'open') return openedForAMoment(config, state, now);
  if (action === 'unlock') return unlockedForGood(state);
  const wasUnlocked = state.mode === 'unlocked';
  const locked = relocked(config, state, now);
  return wasUnlocked ? withHeldTimers(config, locked, now) : locked;
};

const withDeadline = (config: DoorConfig, state: DoorState, at: MonotonicTime): DoorState => {
  if (state.strike_until === at) return relocked(config, state, at);
  if (state.pre_alarm_at === at) return { ...state, pre_alarm_at: null, alarm: 'pre_alarm' };
  return { ...state, held_open_at: null, alarm: 'held_open' };
};

/** Expired deadlines take effect in order and as of their own time, however late the call is. */
const expireDoor = (config: DoorConfig, before: DoorState, now: MonotonicTime): DoorStep => {
  const effects: DoorEffect[] = [];
  let state = before;
  for (let at = nextDoorDeadline(state); at !== null && at <= now; at = nextDoorDeadline(state)) {
    const next = withDeadline(config, state, at);
    effects.push(...computeDoorEffects(config, state, next, at));
    state = next;
  }
  return { state, effects };
};

const withInput = (config: DoorConfig, state: DoorState, input: DoorInput, now: MonotonicTime): DoorState => {
  if (input.type === 'action') return withAction(config, state, input.action, now);
  if (input.type === 'contact') return withContact(config, state, input.level, now);
  return input.type === 'exit_button' && config.exit_button ? openedForAMoment(config, state, now) : state;
};

export const stepDoor = (config: DoorConfig, before: DoorState, input: DoorInput, now: MonotonicTime): DoorStep => {
  const expired = expireDoor(config, before, now);
  const state = withInput(config, expired.state, input, now);
  const effects = [...expired.effects];
  if (input.type === 'exit_button' && config.exit_button)
    effects.push({ type: 'signal', signal_id: 'exit_button', at: now });
  effects.push(...computeDoorEffects(config, expired.state, state, now));
  return { state, effects };
};
