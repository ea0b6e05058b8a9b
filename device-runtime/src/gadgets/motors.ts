import {
  type BlindAction,
  blindMachine,
  type BlindState,
  nextBlindDeadline,
  startBlind,
} from '@lintel/access-core/door/blind';
import { nextRunnerDeadline, type RunnerState, startRunner, stepRunner } from '@lintel/access-core/door/step-runner';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { GadgetEffect, Plan, Told } from './gadget-effects.ts';
import type { BlindWiring, SwitchWiring } from '@lintel/drivers/ports/wiring';

type Motor =
  | { readonly wiring: BlindWiring; readonly state: BlindState }
  | { readonly wiring: SwitchWiring; readonly state: RunnerState };

interface Step {
  readonly motor: Motor;
  readonly effects: readonly GadgetEffect[];
}

const isBlindAction = (action: string): action is BlindAction => ['up', 'down', 'stop'].includes(action);

const stateReport = (state_id: string | null): readonly GadgetEffect[] =>
  state_id === null ? [] : [{ type: 'report_state', state_id }];

const started = (wiring: BlindWiring | SwitchWiring, now: Monotonic): Step => {
  if (wiring.kind === 'blind') {
    const { state, effects } = startBlind(wiring.config, now);
    return { motor: { wiring, state }, effects };
  }
  const { state, effects } = startRunner(wiring.outputs, now);
  return { motor: { wiring, state }, effects: [...effects, ...stateReport(wiring.resting_state_id)] };
};

const isBlind = (motor: Motor): motor is Extract<Motor, { wiring: BlindWiring }> => motor.wiring.kind === 'blind';

/** Null when the gadget is not wired for such an action. */
const acted = (motor: Motor, action: string, now: Monotonic): Step | null => {
  if (isBlind(motor)) {
    if (!isBlindAction(action)) return null;
    const { state, effects } = blindMachine(motor.wiring.config, motor.state, { type: 'action', action }, now);
    return { motor: { wiring: motor.wiring, state }, effects };
  }
  const { wiring } = motor;
  const wired = Object.hasOwn(wiring.actions, action) ? wiring.actions[action] : undefined;
  if (wired === undefined) return null;
  const { state, effects } = stepRunner(wiring.interlocks, motor.state, { type: 'start', steps: wired.steps }, now);
  const report: GadgetEffect[] =
    wired.state_id === null ? [] : [{ type: 'report_state', state_id: wired.state_id as never }];
  return { motor: { wiring, state }, effects: [...effects, ...report] };
};

const timed = (motor: Motor, now: Monotonic): Step => {
  if (isBlind(motor)) {
    const { state, effects } = blindMachine(motor.wiring.config, motor.state, { type: 'timer' }, now);
    return { motor: { wiring: motor.wiring, state }, effects };
  }
  const { state, effects } = stepRunner(motor.wiring.interlocks, motor.state, { type: 'timer' }, now);
  return { motor: { wiring: motor.wiring, state }, effects };
};

const deadlineOf = (motor: Motor): Monotonic | null =>
  isBlind(motor) ? nextBlindDeadline(motor.state) : nextRunnerDeadline(motor.state);

/** Blinds and everything else that runs through steps. */
export class MotorBank {
  readonly #motors = new Map<string, Motor>();

  add(id: string, wiring: BlindWiring | SwitchWiring, now: Monotonic): readonly Told[] {
    const { motor, effects } = started(wiring, now);
    this.#motors.set(id, motor);
    return effects.map(effect => ({ gadget_id: id, effect }));
  }

  remove(id: string): readonly Told[] {
    const motor = this.#motors.get(id);
    this.#motors.delete(id);
    if (motor === undefined) return [];
    const { wiring } = motor;
    const outputs = wiring.kind === 'blind' ? [wiring.config.up_output, wiring.config.down_output] : wiring.outputs;
    return outputs.map(output => ({ gadget_id: id, effect: { type: 'output_off', output } }));
  }

  plan(id: string, action: string, now: Monotonic): Plan | null {
    const motor = this.#motors.get(id);
    const step = motor === undefined ? null : acted(motor, action, now);
    if (step === null) return null;
    return {
      told: step.effects.map(effect => ({ gadget_id: id, effect })),
      refusal: null,
      commit: () => {
        this.#motors.set(id, step.motor);
      },
    };
  }

  timer(now: Monotonic): readonly Told[] {
    return [...this.#motors].flatMap(([id, motor]) => {
      const step = timed(motor, now);
      this.#motors.set(id, step.motor);
      return step.effects.map(effect => ({ gadget_id: id, effect }));
    });
  }

  deadline(): Monotonic | null {
    let earliest: Monotonic | null = null;
    for (const motor of this.#motors.values()) {
      const at = deadlineOf(motor);
      if (at !== null && (earliest === null || at < earliest)) earliest = at;
    }
    return earliest;
  }
}
