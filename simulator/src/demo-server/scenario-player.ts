import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScenarioRun, ScenarioSummary } from '@lintel/wire-protocol/simulator/scenario-run';

const MOST_RUNS = 10;

/** Plays one file; tells the steps as far as they have come, whenever one has. */
export type PlayFile = (
  file: string,
  tell: (steps: ScenarioRun['steps']) => void,
) => Promise<Pick<ScenarioRun, 'outcome' | 'problem'>>;

const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

const summaryOf = (folder: string, file: string): ScenarioSummary => {
  const name = file.replace(/\.json$/, '');
  try {
    const content = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>;
    return { name, title: textOf(content['title'], name), about: textOf(content['about'], '') };
  } catch {
    return { name, title: name, about: 'This file cannot be read' };
  }
};

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
      .filter(file => /^[\w-]+\.json$/.test(file))
      .sort();
  } catch {
    return [];
  }
};

/** The scenarios of a folder, one played at a time. */
export class ScenarioPlayer {
  readonly scenarios: readonly ScenarioSummary[];
  readonly #folder: string;
  readonly #playFile: PlayFile;
  readonly #tell: (run: ScenarioRun) => void;
  readonly #runs = new Map<string, ScenarioRun>();
  #isPlaying = false;

  constructor(folder: string, playFile: PlayFile, tell: (run: ScenarioRun) => void) {
    this.#folder = folder;
    this.#playFile = playFile;
    this.#tell = tell;
    this.scenarios = filesIn(folder).map(file => summaryOf(folder, file));
  }

  has(name: string): boolean {
    return this.scenarios.some(one => one.name === name);
  }

  /** The newest last. */
  runs(): readonly ScenarioRun[] {
    return [...this.#runs.values()];
  }

  /** Null when it has begun, otherwise why it cannot. */
  play(name: string): string | null {
    if (this.#isPlaying) return 'another scenario is being played';
    this.#isPlaying = true;
    const id = `${name}-${Date.now()}`;
    let run: ScenarioRun = { id, name, outcome: 'running', steps: [], problem: null };
    const put = (changes: Partial<ScenarioRun>): void => {
      run = { ...run, ...changes };
      this.#runs.set(id, run);
      if (this.#runs.size > MOST_RUNS) this.#runs.delete(this.#runs.keys().next().value!);
      this.#tell(run);
    };
    put({});
    void this.#playFile(join(this.#folder, `${name}.json`), steps => put({ steps }))
      .catch((error: unknown) => ({ outcome: 'failed' as const, problem: (error as Error).message }))
      .then(put)
      .finally(() => {
        this.#isPlaying = false;
      });
    return null;
  }
}
