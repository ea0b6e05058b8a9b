import { setTimeout as delay } from 'node:timers/promises';
import type { ScenarioRun, ScenarioStep } from '@lintel/wire-protocol/simulator/scenario-run';
import { BridgeResponseError } from './people.ts';
import type { Scenario } from './file/scenario-schema.ts';
import { clockText } from './scenario-time.ts';
import { ScenarioWorld } from './scenario-world.ts';
import { type Act, chosen, type Expectation, type Moment, sentenceOf } from './steps/step-kind.ts';
import { acts, expectations, mayBeRejected, type Step } from './steps/step-schema.ts';

const AWAITED_MS = 5000;
const POLL_MS = 10;

/** One line of the output: time that passes, something done, or something expected. */
interface Line {
  readonly words: string;
  /** Null when it went as it should, otherwise what was seen instead. */
  readonly play: (moment: Moment) => Promise<string | null>;
  /** Expectations look at what has happened since then. */
  readonly isAct?: boolean;
}

const timeLine = (at: string): Line => ({
  words: at.startsWith('+') ? `${at.slice(1)} pass` : `It gets ${at}`,
  play: async ({ world }) => {
    await world.passUntil(world.time(at));
    return null;
  },
});

const actLine = (act: Act, given: unknown, isRejectable: boolean): Line => ({
  words: sentenceOf(act, given),
  isAct: true,
  play: async ({ world }) => {
    try {
      await act.run(world, given);
    } catch (error) {
      if (!(error instanceof BridgeResponseError && isRejectable)) throw error;
    }
    await world.settle();
    return null;
  },
});

const expectationLine = (one: Expectation, given: unknown): Line => ({
  words: sentenceOf(one, given),
  play: async moment => {
    const latest = performance.now() + (one.isAwaited ? AWAITED_MS : 0);
    for (;;) {
      const seen = await one.look(moment, given);
      if (seen === null || performance.now() >= latest) return seen;
      await delay(POLL_MS);
    }
  },
});

const linesOf = (step: Step): readonly Line[] => [
  ...(step.at === undefined ? [] : [timeLine(step.at)]),
  ...(step.do ?? []).map(one => actLine(...chosen<Act>(acts, one), mayBeRejected(step))),
  ...(step.expect ?? []).map(one => expectationLine(...chosen<Expectation>(expectations, one))),
];

export type PlayedScenario = Pick<ScenarioRun, 'outcome' | 'problem' | 'steps'>;

const playLines = async (
  world: ScenarioWorld,
  lines: readonly Line[],
  put: (index: number, changes: Partial<ScenarioStep>) => void,
): Promise<'passed' | 'failed'> => {
  let since: Moment['since'] = new Map();
  for (const [index, { words, play, isAct = false }] of lines.entries()) {
    put(index, { outcome: 'running' });
    if (isAct) since = new Map([...world.controllers].map(([name, { recorded }]) => [name, recorded.length]));
    const seen = await play({ world, since }).catch((error: unknown) => (error as Error).message);
    const outcome = seen === null ? 'passed' : 'failed';
    put(index, { words: `${clockText(world.clock.instant, world.zone)}  ${words}`, outcome, seen });
    if (seen !== null) return 'failed';
  }
  return 'passed';
};

/** Plays to the end or to the first step that fails. `tell` is called on every change of a step. */
export const playScenario = async (
  scenario: Scenario,
  tell: (steps: readonly ScenarioStep[]) => void = () => undefined,
): Promise<PlayedScenario> => {
  const lines = scenario.steps.flatMap(linesOf);
  const steps = lines.map(({ words }): ScenarioStep => ({ words, outcome: 'waiting', seen: null }));
  let world: ScenarioWorld;
  try {
    world = await ScenarioWorld.open(scenario.world);
  } catch (error) {
    return { outcome: 'failed', problem: `there is no such world: ${(error as Error).message}`, steps };
  }
  try {
    const outcome = await playLines(world, lines, (index, changes) => {
      steps[index] = { ...steps[index]!, ...changes };
      tell([...steps]);
    });
    return { outcome, problem: null, steps };
  } finally {
    await world.close();
  }
};
