import { addMilliseconds, type MonotonicTime, monotonic } from '../monotonic-time.ts';
import type { ActionStep, OutputInterlock } from './action-steps.ts';

export type OutputEffect =
  /** `pulse_ms` lets a capable board switch off by itself; null: until `output_off`. */
  | { readonly type: 'output_on'; readonly output: string; readonly pulse_ms: number | null }
  | { readonly type: 'output_off'; readonly output: string };

interface OutputState {
  readonly on: boolean;
  /** When it was last switched off, or when the runner started. */
  readonly off_since: MonotonicTime;
  readonly off_at: MonotonicTime | null;
}

/** The outputs of one gadget and the remaining steps. */
export interface StepRunnerState {
  readonly outputs: ReadonlyMap<string, OutputState>;
  readonly steps: readonly ActionStep[];
  readonly resume_at: MonotonicTime | null;
}

interface RunnerStep {
  readonly state: StepRunnerState;
  readonly effects: readonly OutputEffect[];
}

export type StepRunnerInput =
  | { readonly type: 'start'; readonly steps: readonly ActionStep[] }
  | { readonly type: 'timer' };

/** A motor may still be turning from before a restart, so the dead time starts now. */
export const createInitialRunnerStep = (outputs: readonly string[], now: MonotonicTime): RunnerStep => ({
  state: {
    outputs: new Map(outputs.map(output => [output, { on: false, off_since: now, off_at: null }])),
    steps: [],
    resume_at: null,
  },
  effects: outputs.map(output => ({ type: 'output_off', output })),
});

export const isOutputOn = (state: StepRunnerState, output: string): boolean => state.outputs.get(output)?.on === true;

export const nextStepRunnerDeadline = (state: StepRunnerState): MonotonicTime | null => {
  let earliest = state.resume_at;
  for (const { off_at } of state.outputs.values())
    if (off_at !== null && (earliest === null || off_at < earliest)) earliest = off_at;
  return earliest;
};

const partnersOf = (interlocks: readonly OutputInterlock[], output: string): Map<string, number> => {
  const dead = new Map<string, number>();
  for (const interlock of interlocks) {
    if (!interlock.outputs.includes(output)) continue;
    for (const partner of interlock.outputs)
      if (partner !== output) dead.set(partner, Math.max(dead.get(partner) ?? 0, interlock.dead_ms));
  }
  return dead;
};

/**
 * Unlike relocking, nothing is applied retroactively: if the owner is late, the output was on until now, and dead
 * times and waits start from now.
 */
class Run {
  readonly effects: OutputEffect[] = [];
  readonly outputs: Map<string, OutputState>;
  readonly #interlocks: readonly OutputInterlock[];
  readonly #now: MonotonicTime;

  constructor(interlocks: readonly OutputInterlock[], before: StepRunnerState, now: MonotonicTime) {
    this.#interlocks = interlocks;
    this.outputs = new Map(before.outputs);
    this.#now = now;
  }

  switchOff(output: string): void {
    if (this.outputs.get(output)?.on !== true) return;
    this.outputs.set(output, { on: false, off_since: this.#now, off_at: null });
    this.effects.push({ type: 'output_off', output });
  }

  /** The only place that switches an output on. Returns when to retry if the interlock forbids it until then. */
  switchOn(output: string, pulse_ms: number | null): MonotonicTime | null {
    let free_at = this.#now;
    for (const [partner, dead_ms] of partnersOf(this.#interlocks, output)) {
      this.switchOff(partner);
      const rested_at = (this.outputs.get(partner)?.off_since ?? Number.NEGATIVE_INFINITY) + dead_ms;
      free_at = monotonic(Math.max(free_at, rested_at));
    }
    if (free_at > this.#now) return free_at;
    const before = this.outputs.get(output);
    const off_at = pulse_ms === null ? null : addMilliseconds(this.#now, pulse_ms);
    if (before?.on !== true || before.off_at !== off_at) this.effects.push({ type: 'output_on', output, pulse_ms });
    this.outputs.set(output, { on: true, off_since: before?.off_since ?? this.#now, off_at });
    return null;
  }

  endPulses(): void {
    for (const [output, { off_at }] of this.outputs) if (off_at !== null && off_at <= this.#now) this.switchOff(output);
  }

  /** Executes steps up to the first one that has to wait. */
  proceed(steps: readonly ActionStep[]): StepRunnerState {
    for (const [index, step] of steps.entries()) {
      if (step.step === 'wait')
        return { outputs: this.outputs, steps: steps.slice(index + 1), resume_at: addMilliseconds(this.#now, step.ms) };
      if (step.step === 'off') this.switchOff(step.output);
      else {
        const retry_at = this.switchOn(step.output, step.step === 'pulse' ? step.ms : null);
        if (retry_at !== null) return { outputs: this.outputs, steps: steps.slice(index), resume_at: retry_at };
      }
    }
    return { outputs: this.outputs, steps: [], resume_at: null };
  }
}

/** Outputs that the interrupted action would have switched off and that the new one does not use must not stay on. */
const leftOn = (interrupted: readonly ActionStep[], next: readonly ActionStep[]): string[] => {
  const spokenOf = new Set(next.map(step => (step.step === 'wait' ? null : step.output)));
  return interrupted
    .filter(step => step.step === 'off')
    .map(step => step.output)
    .filter(output => !spokenOf.has(output));
};

/** A new action replaces the running one. */
export const advanceStepRunner = (
  interlocks: readonly OutputInterlock[],
  before: StepRunnerState,
  input: StepRunnerInput,
  now: MonotonicTime,
): RunnerStep => {
  const run = new Run(interlocks, before, now);
  run.endPulses();
  if (input.type === 'start') {
    for (const output of leftOn(before.steps, input.steps)) run.switchOff(output);
    return { state: run.proceed(input.steps), effects: run.effects };
  }
  const due = before.resume_at !== null && before.resume_at <= now;
  const state = due
    ? run.proceed(before.steps)
    : { outputs: run.outputs, steps: before.steps, resume_at: before.resume_at };
  return { state, effects: run.effects };
};
