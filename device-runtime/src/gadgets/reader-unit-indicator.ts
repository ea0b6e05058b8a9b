import type { ActionStep } from '@lintel/access-core/gadgets/action-steps';
import {
  nextStepRunnerDeadline,
  type StepRunnerState,
  createInitialRunnerStep,
  advanceStepRunner,
} from '@lintel/access-core/gadgets/step-runner';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { FeedbackOverrides, FeedbackKind, IndicatorWiring } from '@lintel/drivers/interfaces';
import { defaultFeedbackPatterns } from './feedback-patterns.ts';
import type { GadgetStateEffect } from './gadget-action-plan-types.ts';

/** The lights and the buzzer of one station. */
export class ReaderUnitIndicator {
  readonly #wiring: IndicatorWiring;
  readonly #changes: FeedbackOverrides;
  #state: StepRunnerState;

  constructor(wiring: IndicatorWiring, now: MonotonicTime, changes: FeedbackOverrides = {}) {
    this.#wiring = wiring;
    this.#changes = changes;
    this.#state = createInitialRunnerStep([], now).state;
  }

  show(kind: FeedbackKind, now: MonotonicTime): readonly GadgetStateEffect[] {
    const steps = (this.#changes[kind] ?? defaultFeedbackPatterns[kind]).flatMap(step => this.#toLineStep(step));
    return this.#step({ type: 'start', steps }, now);
  }

  /** The step with the name of the output line; empty when the light or buzzer is not fitted. */
  #toLineStep(step: ActionStep): readonly ActionStep[] {
    if (step.step === 'wait') return [step];
    const output = this.#wiring[step.output as keyof IndicatorWiring];
    return output === null ? [] : [{ ...step, output }];
  }

  timer(now: MonotonicTime): readonly GadgetStateEffect[] {
    return this.#step({ type: 'timer' }, now);
  }

  #step(input: Parameters<typeof advanceStepRunner>[2], now: MonotonicTime): readonly GadgetStateEffect[] {
    const { state, effects } = advanceStepRunner([], this.#state, input, now);
    this.#state = state;
    return effects;
  }

  deadline(): MonotonicTime | null {
    return nextStepRunnerDeadline(this.#state);
  }
}
