import { FieldReader } from '../untrusted-field-reader.ts';
import type { MonotonicTime } from '../monotonic-time.ts';
import type { Result } from '../result.ts';
import type { ActionStep, OutputInterlock } from './action-steps.ts';
import {
  isOutputOn,
  nextStepRunnerDeadline,
  type OutputEffect,
  type StepRunnerInput,
  type StepRunnerState,
  createInitialRunnerStep,
  advanceStepRunner,
} from './step-runner.ts';

/** A motor with two directions and one output for each. */
export interface BlindConfig {
  readonly up_output: string;
  readonly down_output: string;
  /** Longest travel time from end to end; the motor has its own end switches. */
  readonly travel_ms: number;
  /** Dead time between the directions. */
  readonly dead_ms: number;
}

export type BlindStateId = 'unknown' | 'raising' | 'lowering' | 'stopped' | 'up' | 'down';
export type BlindAction = 'up' | 'down' | 'stop';

export interface BlindState {
  readonly runner: StepRunnerState;
  readonly state_id: BlindStateId;
}

export type BlindEffect = OutputEffect | { readonly type: 'report_state'; readonly state_id: BlindStateId };

interface BlindStep {
  readonly state: BlindState;
  readonly effects: readonly BlindEffect[];
}

type BlindInput = { readonly type: 'action'; readonly action: BlindAction } | { readonly type: 'timer' };

const LONGEST_TRAVEL_MS = 600_000;
const LONGEST_REST_MS = 60_000;

/** From the action until the blind arrives. */
export const MAX_BLIND_ACTION_MS = LONGEST_REST_MS + LONGEST_TRAVEL_MS;

export const parseBlindConfig = (input: unknown, path = ''): Result<BlindConfig> => {
  const fields = new FieldReader(input, path, ['up_output', 'down_output', 'travel_ms', 'dead_ms']);
  const config: BlindConfig = {
    up_output: fields.name('up_output'),
    down_output: fields.name('down_output'),
    travel_ms: fields.milliseconds('travel_ms', 1_000, LONGEST_TRAVEL_MS, 60_000),
    dead_ms: fields.milliseconds('dead_ms', 100, LONGEST_REST_MS, 500),
  };
  if (config.up_output !== '' && config.up_output === config.down_output)
    fields.refuse('down_output', 'invalid_outputs', 'must not be the output of the other direction');
  return fields.problems.resultOf(config);
};

const stepsOf = (config: BlindConfig, action: BlindAction): readonly ActionStep[] => {
  const { up_output, down_output, travel_ms } = config;
  if (action === 'up') return [{ step: 'pulse', output: up_output, ms: travel_ms }];
  if (action === 'down') return [{ step: 'pulse', output: down_output, ms: travel_ms }];
  return [
    { step: 'off', output: up_output },
    { step: 'off', output: down_output },
  ];
};

const interlocksOf = ({ up_output, down_output, dead_ms }: BlindConfig): readonly OutputInterlock[] => [
  { outputs: [up_output, down_output], dead_ms },
];

/** An expired pulse lasted the full travel time, from any position. Any other stop is in between. */
const stateIdAfter = (
  config: BlindConfig,
  before: BlindState,
  runner: StepRunnerState,
  now: MonotonicTime,
): BlindStateId => {
  if (isOutputOn(runner, config.up_output)) return 'raising';
  if (isOutputOn(runner, config.down_output)) return 'lowering';
  const pulseEnded = (output: string): boolean => {
    const off_at = before.runner.outputs.get(output)?.off_at ?? null;
    return off_at !== null && off_at <= now;
  };
  if (before.state_id === 'raising') return pulseEnded(config.up_output) ? 'up' : 'stopped';
  if (before.state_id === 'lowering') return pulseEnded(config.down_output) ? 'down' : 'stopped';
  return before.state_id;
};

export const createInitialBlindStep = (config: BlindConfig, now: MonotonicTime): BlindStep => {
  const { state: runner, effects } = createInitialRunnerStep([config.up_output, config.down_output], now);
  return {
    state: { runner, state_id: 'unknown' },
    effects: [...effects, { type: 'report_state', state_id: 'unknown' }],
  };
};

export const nextBlindDeadline = (state: BlindState): MonotonicTime | null => nextStepRunnerDeadline(state.runner);

export const stepBlind = (
  config: BlindConfig,
  before: BlindState,
  input: BlindInput,
  now: MonotonicTime,
): BlindStep => {
  const order: StepRunnerInput =
    input.type === 'timer' ? input : { type: 'start', steps: stepsOf(config, input.action) };
  const { state: runner, effects } = advanceStepRunner(interlocksOf(config), before.runner, order, now);
  const state_id = stateIdAfter(config, before, runner, now);
  const report: BlindEffect[] = state_id === before.state_id ? [] : [{ type: 'report_state', state_id }];
  return { state: { runner, state_id }, effects: [...effects, ...report] };
};
