import { monotonic } from '../monotonic-time.ts';
import type { DoorConfig } from './door-config.ts';
import type { DoorEffect } from './door-effects.ts';
import { type DoorInput, stepDoor, createInitialDoorStep } from './door-machine.ts';
import { computeDoorStateId } from './door-state.ts';

export const createDoorConfig = (changes: Partial<DoorConfig> = {}): DoorConfig => ({
  strike_ms: 5_000,
  relock_on: 'time',
  contact: true,
  exit_button: true,
  held_open_ms: 30_000,
  pre_alarm_ms: 10_000,
  forced_alarm: true,
  forced_grace_ms: 2_000,
  interlock_group: null,
  egress_ignores_interlock: true,
  ...changes,
});

export const openActionDoorInput: DoorInput = { type: 'action', action: 'open' };
export const unlockDoorInput: DoorInput = { type: 'action', action: 'unlock' };
export const lockDoorInput: DoorInput = { type: 'action', action: 'lock' };
export const exitButtonDoorInput: DoorInput = { type: 'exit_button' };
export const timerDoorInput: DoorInput = { type: 'timer' };
export const createContactDoorInput = (level: 'open' | 'closed' | 'unknown'): DoorInput => ({ type: 'contact', level });

/** Applies inputs at their times and records the effects as `[time of the call, effect]`. */
export const playDoorInputs = (config: DoorConfig, ...inputs: readonly (readonly [number, DoorInput])[]) => {
  let { state } = createInitialDoorStep(config, 'normal', monotonic(0));
  const effects: [number, DoorEffect][] = [];
  for (const [at, input] of inputs) {
    const step = stepDoor(config, state, input, monotonic(at));
    state = step.state;
    for (const effect of step.effects) effects.push([at, effect]);
  }
  const strike = effects.flatMap(([at, effect]): (number | string | null)[][] =>
    effect.type === 'energize_strike' ? [[at, effect.pulse_ms]] : effect.type === 'release_strike' ? [[at, 'off']] : [],
  );
  const signals = effects.flatMap(([, effect]) => (effect.type === 'signal' ? [[effect.at, effect.signal_id]] : []));
  const feedback = effects.flatMap(([at, effect]) => (effect.type === 'feedback' ? [[at, effect.kind]] : []));
  const states = effects.flatMap(([, effect]) => (effect.type === 'report_state' ? [effect.state_id] : []));
  return { state, strike, signals, feedback, states, state_id: computeDoorStateId(config, state) };
};
