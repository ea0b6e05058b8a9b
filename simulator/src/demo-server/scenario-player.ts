import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ScenarioRun, ScenarioSummary } from '@lintel/wire-protocol/simulator/scenario-run';
import type { ScenarioRunResult } from '../scenario/play-scenario.ts';

const MAX_RUNS = 10;

const processFile = join(import.meta.dirname, 'scenario-process.ts');

const summaryOf = (folder: string, file: string): ScenarioSummary => {
  const name = basename(file, '.json');
  try {
    const { title, about = '' } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      readonly title: string;
      readonly about?: string;
    };
    return { name, title, about };
  } catch {
    return { name, title: name, about: 'This file cannot be read' };
  }
};

/** Plays the scenarios of a folder, one at a time. */
export class ScenarioPlayer {
  readonly scenarios: readonly ScenarioSummary[];
  readonly #folder: string;
  readonly #onProgress: (run: ScenarioRun) => void;
  readonly #runs = new Map<string, ScenarioRun>();
  #isPlaying = false;

  constructor(folder: string, onProgress: (run: ScenarioRun) => void) {
    this.#folder = folder;
    this.#onProgress = onProgress;
    const files = readdirSync(folder).filter(file => /^[\w-]+\.json$/.test(file));
    this.scenarios = files.sort().map(file => summaryOf(folder, file));
  }

  has(name: string): boolean {
    return this.scenarios.some(scenario => scenario.name === name);
  }

  /** Newest last. */
  runs(): readonly ScenarioRun[] {
    return [...this.#runs.values()];
  }

  /** Returns null when the scenario has started, otherwise the reason for the failure. */
  play(name: string): string | null {
    if (this.#isPlaying) return 'Another scenario is running';
    this.#isPlaying = true;
    void this.#play(name).finally(() => {
      this.#isPlaying = false;
    });
    return null;
  }

  /** In its own process, so that it does not block the demo. */
  async #play(name: string): Promise<void> {
    let run: ScenarioRun = { id: `${name}-${Date.now()}`, name, outcome: 'running', steps: [], problem: null };
    const put = (changes: Partial<ScenarioRun>): void => {
      run = { ...run, ...changes };
      this.#runs.set(run.id, run);
      if (this.#runs.size > MAX_RUNS) this.#runs.delete(this.#runs.keys().next().value!);
      this.#onProgress(run);
    };
    put({});
    const playing = fork(processFile, [join(this.#folder, `${name}.json`)], { stdio: 'ignore' });
    playing.on('message', message => put(message as ScenarioRunResult));
    await once(playing, 'exit').catch((error: unknown) =>
      put({ outcome: 'failed', problem: (error as Error).message }),
    );
    if (run.outcome === 'running') put({ outcome: 'failed', problem: 'The scenario process ended unexpectedly' });
  }
}
