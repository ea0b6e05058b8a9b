import type { ActionStep } from '@lintel/access-core/door/action-steps';
import { nextRunnerDeadline, type RunnerState, startRunner, stepRunner } from '@lintel/access-core/door/step-runner';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { FeedbackChanges, FeedbackKind } from '@lintel/drivers/ports/feedback';
import { usualPatterns } from './feedback-patterns.ts';
import type { GadgetEffect } from './gadget-effects.ts';
import type { IndicatorWiring } from '@lintel/drivers/ports/wiring';

/** The lights and the buzzer of one station. */
export class Indicator {
  readonly #wiring: IndicatorWiring;
  readonly #changes: FeedbackChanges;
  #state: RunnerState;

  constructor(wiring: IndicatorWiring, now: Monotonic, changes: FeedbackChanges = {}) {
    this.#wiring = wiring;
    this.#changes = changes;
    this.#state = startRunner([], now).state;
  }

  show(kind: FeedbackKind, now: Monotonic): readonly GadgetEffect[] {
    const steps = (this.#changes[kind] ?? usualPatterns[kind]).flatMap(step => this.#named(step));
    return this.#step({ type: 'start', steps }, now);
  }

  /** The step with the line's own name; nothing for what is not fitted. */
  #named(step: ActionStep): readonly ActionStep[] {
    if (step.step === 'wait') return [step];
    const output = this.#wiring[step.output as keyof IndicatorWiring];
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
