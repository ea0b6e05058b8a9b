import type { ScenarioRun, ScenarioStep } from '@lintel/wire-protocol/simulator/scenario-run';
import { perform, wordsOfAct } from './acts.ts';
import { examine, wordsOfExpectation } from './expectations.ts';
import { Refused } from './people.ts';
import type { Scenario } from './scenario-schema.ts';
import { clockText } from './scenario-time.ts';
import { ScenarioWorld } from './scenario-world.ts';
import type { Act, Expectation } from './step-schema.ts';

type Step = Scenario['steps'][number];

/** One line of what is played: time that passes, something done, or something expected. */
type Line =
  | { readonly kind: 'time'; readonly words: string; readonly at: string }
  | { readonly kind: 'act'; readonly words: string; readonly act: Act; readonly mayBeRefused: boolean }
  | { readonly kind: 'expectation'; readonly words: string; readonly expectation: Expectation };

const timeWords = (at: string): string => (at.startsWith('+') ? `${at.slice(1)} pass` : `It gets ${at}`);

const linesOf = ({ at, do: acts = [], expect = [] }: Step): readonly Line[] => {
  const mayBeRefused = expect.some(({ answer }) => answer !== undefined && answer.status !== 200);
  return [
    ...(at === undefined ? [] : [{ kind: 'time', words: timeWords(at), at } as const]),
    ...acts.map(act => ({ kind: 'act', words: wordsOfAct(act), act, mayBeRefused }) as const),
    ...expect.map(
      expectation => ({ kind: 'expectation', words: wordsOfExpectation(expectation), expectation }) as const,
    ),
  ];
};

class Playing {
  readonly #world: ScenarioWorld;
  #since: ReadonlyMap<string, number> = new Map();

  constructor(world: ScenarioWorld) {
    this.#world = world;
  }

  /** Null when it went as it should, otherwise what was seen instead. */
  async play(line: Line): Promise<string | null> {
    const world = this.#world;
    if (line.kind === 'expectation') return examine({ world, since: this.#since }, line.expectation);
    if (line.kind === 'time') await world.passUntil(world.time(line.at));
    else {
      this.#since = new Map([...world.controllers].map(([name, { recorded }]) => [name, recorded.length]));
      await this.#act(line);
      await world.settle();
    }
    return null;
  }

  async #act({ act, mayBeRefused }: Extract<Line, { kind: 'act' }>): Promise<void> {
    try {
      await perform(this.#world, act);
    } catch (error) {
      if (!(error instanceof Refused && mayBeRefused)) throw error;
    }
  }
}

const withClock = (world: ScenarioWorld, words: string): string =>
  `${clockText(world.clock.instant, world.zone)}  ${words}`;

export type PlayedScenario = Pick<ScenarioRun, 'outcome' | 'problem' | 'steps'>;

const playLines = async (
  world: ScenarioWorld,
  lines: readonly Line[],
  put: (index: number, changes: Partial<ScenarioStep>) => void,
): Promise<'passed' | 'failed'> => {
  const playing = new Playing(world);
  for (const [index, line] of lines.entries()) {
    put(index, { outcome: 'running' });
    const seen = await playing.play(line).catch((error: unknown) => (error as Error).message);
    put(index, { words: withClock(world, line.words), outcome: seen === null ? 'passed' : 'failed', seen });
    if (seen !== null) return 'failed';
  }
  return 'passed';
};

/** From its beginning to its end or to the first thing that is not as it should be. `tell` hears of every change. */
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
