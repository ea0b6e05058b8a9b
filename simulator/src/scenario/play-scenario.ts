import { setTimeout as delay } from 'node:timers/promises';
import type { ScenarioRun, ScenarioStepProgress } from '@lintel/wire-protocol/simulator/scenario-run';
import { ScenarioBridgeResponseError } from './scenario-members.ts';
import type { Scenario } from './file/scenario-schema.ts';
import { formatScenarioTime } from './scenario-time.ts';
import { ScenarioWorld } from './scenario-world.ts';
import type {
  ScenarioActionDefinition,
  ScenarioExpectationDefinition,
  ScenarioExpectationContext,
} from './steps/define-actions-and-expectations.ts';
import { findEntryForOnlyKey } from './steps/exactly-one-key-schema.ts';
import { formatScenarioStepSentence } from './steps/step-sentence.ts';
import {
  scenarioActions,
  scenarioExpectations,
  expectsApiRejection,
  type ScenarioStepPlan,
} from './steps/step-schema.ts';

const AWAITED_MS = 5000;
const POLL_MS = 10;

/** One line of the output: passing time, an action or an expectation. */
interface PlayableStep {
  readonly sentence: string;
  /** Null on success, otherwise what was seen instead. */
  readonly play: (context: ScenarioExpectationContext) => Promise<string | null>;
  /** Expectations cover the events since the last action. */
  readonly isAction?: boolean;
}

const timeStep = (at: string): PlayableStep => ({
  sentence: at.startsWith('+') ? `${at.slice(1)} pass` : `Time advances to ${at}`,
  play: async ({ world }) => {
    await world.passUntil(world.time(at));
    return null;
  },
});

const actionStep = (action: ScenarioActionDefinition, given: unknown, isRejectable: boolean): PlayableStep => ({
  sentence: formatScenarioStepSentence(action, given),
  isAction: true,
  play: async ({ world }) => {
    try {
      await action.run(world, given);
    } catch (error) {
      if (!(error instanceof ScenarioBridgeResponseError && isRejectable)) throw error;
    }
    await world.settle();
    return null;
  },
});

const expectationStep = (
  expectation: ScenarioExpectationDefinition,
  given: unknown,
  awaitedMs: number,
): PlayableStep => ({
  sentence: formatScenarioStepSentence(expectation, given),
  play: async context => {
    const deadline = performance.now() + (expectation.isAwaited ? awaitedMs : 0);
    for (;;) {
      const seen = await expectation.check(context, given);
      if (seen === null || performance.now() >= deadline) return seen;
      await delay(POLL_MS);
    }
  },
});

const playableSteps = (step: ScenarioStepPlan, awaitedMs: number): readonly PlayableStep[] => [
  ...(step.at === undefined ? [] : [timeStep(step.at)]),
  ...(step.do ?? []).map(chosen =>
    actionStep(...findEntryForOnlyKey<ScenarioActionDefinition>(scenarioActions, chosen), expectsApiRejection(step)),
  ),
  ...(step.expect ?? []).map(chosen =>
    expectationStep(...findEntryForOnlyKey<ScenarioExpectationDefinition>(scenarioExpectations, chosen), awaitedMs),
  ),
];

export type ScenarioRunResult = Pick<ScenarioRun, 'outcome' | 'problem' | 'steps'>;

const playSteps = async (
  world: ScenarioWorld,
  playable: readonly PlayableStep[],
  put: (index: number, changes: Partial<ScenarioStepProgress>) => void,
): Promise<'passed' | 'failed'> => {
  let since: ScenarioExpectationContext['since'] = new Map();
  for (const [index, { sentence, play, isAction = false }] of playable.entries()) {
    put(index, { outcome: 'running' });
    if (isAction) since = new Map([...world.controllers].map(([name, { recorded }]) => [name, recorded.length]));
    const seen = await play({ world, since }).catch((error: unknown) => (error as Error).message);
    const outcome = seen === null ? 'passed' : 'failed';
    put(index, { words: `${formatScenarioTime(world.clock.instant, world.zone)}  ${sentence}`, outcome, seen });
    if (seen !== null) return 'failed';
  }
  return 'passed';
};

export interface ScenarioPlayOptions {
  /** Called on every change of a step. */
  readonly onProgress?: (steps: readonly ScenarioStepProgress[]) => void;
  /** How long an expectation waits for what arrives over a connection, such as events at the bridge. */
  readonly awaitedMs?: number;
}

/** Plays until the end or the first failed step. */
export const playScenario = async (
  scenario: Scenario,
  { onProgress = () => undefined, awaitedMs = AWAITED_MS }: ScenarioPlayOptions = {},
): Promise<ScenarioRunResult> => {
  const playable = scenario.steps.flatMap(step => playableSteps(step, awaitedMs));
  const steps = playable.map(
    ({ sentence }): ScenarioStepProgress => ({ words: sentence, outcome: 'waiting', seen: null }),
  );
  let world: ScenarioWorld;
  try {
    world = await ScenarioWorld.open(scenario.world);
  } catch (error) {
    return { outcome: 'failed', problem: `The scenario cannot be set up: ${(error as Error).message}`, steps };
  }
  try {
    const outcome = await playSteps(world, playable, (index, changes) => {
      steps[index] = { ...steps[index]!, ...changes };
      onProgress([...steps]);
    });
    return { outcome, problem: null, steps };
  } finally {
    await world.close();
  }
};
