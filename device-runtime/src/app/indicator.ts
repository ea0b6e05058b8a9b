import type { ActionStep } from '@lintel/access-core/door/action-steps';
import type { DoorEffect } from '@lintel/access-core/door/door-effects';
import { nextRunnerDeadline, type RunnerState, startRunner, stepRunner } from '@lintel/access-core/door/step-runner';
import type { Feedback } from '@lintel/access-core/key-entry-model';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { GadgetEffect } from './gadget-effects.ts';
import type { IndicatorWiring } from './wiring.ts';

type DoorFeedback = Extract<DoorEffect, { type: 'feedback' }>['kind'];
export type FeedbackKind = Feedback | DoorFeedback | 'granted' | 'denied';

type Light = keyof IndicatorWiring;

const pulse = (output: Light, ms: number): ActionStep => ({ step: 'pulse', output, ms });
const on = (output: Light): ActionStep => ({ step: 'on', output });
const off = (output: Light): ActionStep => ({ step: 'off', output });
const wait = (ms: number): ActionStep => ({ step: 'wait', ms });

const refusal = [
  pulse('red', 1_000),
  pulse('buzzer', 100),
  wait(200),
  pulse('buzzer', 100),
  wait(200),
  pulse('buzzer', 100),
];

/** What a person sees and hears. A refusal looks the same whatever its reason: the door gives nothing away. */
const patterns: Readonly<Record<FeedbackKind, readonly ActionStep[]>> = {
  key_taken: [pulse('buzzer', 30)],
  rule_armed: [pulse('green', 200), pulse('buzzer', 30)],
  dropped: refusal,
  cleared: [pulse('buzzer', 200)],
  forgotten: [pulse('red', 200)],
  locked_out: [pulse('red', 2_000), pulse('buzzer', 500)],
  granted: [pulse('green', 2_000), pulse('buzzer', 300)],
  denied: refusal,
  refused: refusal,
  quiet: [off('buzzer'), off('red')],
  pre_alarm: [on('buzzer')],
  held_open: [on('red'), on('buzzer')],
  forced: [on('red'), on('buzzer')],
};

/** The lights and the buzzer of one station. */
export class Indicator {
  readonly #wiring: IndicatorWiring;
  #state: RunnerState;

  constructor(wiring: IndicatorWiring, now: Monotonic) {
    this.#wiring = wiring;
    this.#state = startRunner([], now).state;
  }

  show(kind: FeedbackKind, now: Monotonic): readonly GadgetEffect[] {
    const steps = patterns[kind].flatMap(step => this.#named(step));
    return this.#step({ type: 'start', steps }, now);
  }

  /** The step with the line's own name; nothing for what is not fitted. */
  #named(step: ActionStep): readonly ActionStep[] {
    if (step.step === 'wait') return [step];
    const output = this.#wiring[step.output as Light];
    return output === null ? [] : [{ ...step, output }];
  }

  timer(now: Monotonic): readonly GadgetEffect[] {
    return this.#step({ type: 'timer' }, now);
  }

  #step(input: Parameters<typeof stepRunner>[2], now: Monotonic): readonly GadgetEffect[] {
    const { state, effects } = stepRunner([], this.#state, input, now);
    this.#state = state;
    return effects;
  }

  deadline(): Monotonic | null {
    return nextRunnerDeadline(this.#state);
  }
}
