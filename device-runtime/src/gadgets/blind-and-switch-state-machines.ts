import {
  stepBlind,
  type BlindState,
  nextBlindDeadline,
  createInitialBlindStep,
} from '@lintel/access-core/gadgets/blind';
import { toBlindAction } from '@lintel/access-core/gadgets/infer-gadget-kind';
import {
  nextStepRunnerDeadline,
  type StepRunnerState,
  createInitialRunnerStep,
  advanceStepRunner,
} from '@lintel/access-core/gadgets/step-runner';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { GadgetStateEffect, GadgetActionPlan, GadgetCommand } from './gadget-action-plan-types.ts';
import type { BlindWiring, SwitchWiring } from '@lintel/drivers/interfaces';

type Motor =
  | { readonly wiring: BlindWiring; readonly state: BlindState }
  | { readonly wiring: SwitchWiring; readonly state: StepRunnerState };

interface Step {
  readonly motor: Motor;
  readonly effects: readonly GadgetStateEffect[];
}

const stateReport = (state_id: string | null): readonly GadgetStateEffect[] =>
  state_id === null ? [] : [{ type: 'report_state', state_id }];

const startMotor = (wiring: BlindWiring | SwitchWiring, now: MonotonicTime): Step => {
  if (wiring.kind === 'blind') {
    const { state, effects } = createInitialBlindStep(wiring.config, now);
    return { motor: { wiring, state }, effects };
  }
  const { state, effects } = createInitialRunnerStep(wiring.outputs, now);
  return { motor: { wiring, state }, effects: [...effects, ...stateReport(wiring.resting_state_id)] };
};

const isBlind = (motor: Motor): motor is Extract<Motor, { wiring: BlindWiring }> => motor.wiring.kind === 'blind';

/** Null when the action is not wired. */
const applyAction = (motor: Motor, action: string, now: MonotonicTime): Step | null => {
  if (isBlind(motor)) {
    const blindAction = toBlindAction(action);
    if (blindAction === null) return null;
    const input = { type: 'action', action: blindAction } as const;
    const { state, effects } = stepBlind(motor.wiring.config, motor.state, input, now);
    return { motor: { wiring: motor.wiring, state }, effects };
  }
  const { wiring } = motor;
  const wired = Object.hasOwn(wiring.actions, action) ? wiring.actions[action] : undefined;
  if (wired === undefined) return null;
  const { state, effects } = advanceStepRunner(
    wiring.interlocks,
    motor.state,
    { type: 'start', steps: wired.steps },
    now,
  );
  const report: GadgetStateEffect[] =
    wired.state_id === null ? [] : [{ type: 'report_state', state_id: wired.state_id as never }];
  return { motor: { wiring, state }, effects: [...effects, ...report] };
};

const applyTimer = (motor: Motor, now: MonotonicTime): Step => {
  if (isBlind(motor)) {
    const { state, effects } = stepBlind(motor.wiring.config, motor.state, { type: 'timer' }, now);
    return { motor: { wiring: motor.wiring, state }, effects };
  }
  const { state, effects } = advanceStepRunner(motor.wiring.interlocks, motor.state, { type: 'timer' }, now);
  return { motor: { wiring: motor.wiring, state }, effects };
};

const deadlineOf = (motor: Motor): MonotonicTime | null =>
  isBlind(motor) ? nextBlindDeadline(motor.state) : nextStepRunnerDeadline(motor.state);

/** The state machines of blinds and switches. */
export class BlindAndSwitchStateMachines {
  readonly #motors = new Map<string, Motor>();

  add(id: string, wiring: BlindWiring | SwitchWiring, now: MonotonicTime): readonly GadgetCommand[] {
    const { motor, effects } = startMotor(wiring, now);
    this.#motors.set(id, motor);
    return effects.map(effect => ({ gadget_id: id, effect }));
  }

  remove(id: string): readonly GadgetCommand[] {
    const motor = this.#motors.get(id);
    this.#motors.delete(id);
    if (motor === undefined) return [];
    const { wiring } = motor;
    const outputs = wiring.kind === 'blind' ? [wiring.config.up_output, wiring.config.down_output] : wiring.outputs;
    return outputs.map(output => ({ gadget_id: id, effect: { type: 'output_off', output } }));
  }

  plan(id: string, action: string, now: MonotonicTime): GadgetActionPlan | null {
    const motor = this.#motors.get(id);
    const step = motor === undefined ? null : applyAction(motor, action, now);
    if (step === null) return null;
    return {
      commands: step.effects.map(effect => ({ gadget_id: id, effect })),
      interlockReason: null,
      commit: () => {
        this.#motors.set(id, step.motor);
      },
    };
  }

  timer(now: MonotonicTime): readonly GadgetCommand[] {
    return [...this.#motors].flatMap(([id, motor]) => {
      const step = applyTimer(motor, now);
      this.#motors.set(id, step.motor);
      return step.effects.map(effect => ({ gadget_id: id, effect }));
    });
  }

  deadline(): MonotonicTime | null {
    let earliest: MonotonicTime | null = null;
    for (const motor of this.#motors.values()) {
      const at = deadlineOf(motor);
      if (at !== null && (earliest === null || at < earliest)) earliest = at;
    }
    return earliest;
  }
}
