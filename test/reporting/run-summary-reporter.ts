import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { Reporter, SerializedError, TestModule, TestSpecification, Vitest } from 'vitest/node';

const SLOWEST = 30;
/** Read by `npm run docs:test-times`. */
const TIMES_FILE = 'test-results/times.json';
/** A run of fewer files is a selection of somebody who works on them. */
const FILES_OF_A_WHOLE_RUN = 300;
const PROGRESS_STEPS = 20;

const clock = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** What a whole run of `npm test` or `npm run test:all` cost. */
export interface TestTimes {
  readonly command: 'npm test' | 'npm run test:all';
  readonly wallSeconds: number;
  readonly processors: number;
  readonly files: ReadonlyArray<{ readonly file: string; readonly seconds: number }>;
}

const durationOf = (module: TestModule): number => {
  const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
  return collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration;
};

/** The messages, and where in this repository they were thrown. */
const describeErrors = (errors: readonly SerializedError[] = []): string =>
  errors
    .flatMap(({ message, stack = message }) => stack.split('\n'))
    .filter(line => !/^\s+at .*(?:node_modules|<anonymous>)/.test(line))
    .map(line => `\n    ${line}`)
    .join('');

/**
 * Prints progress, the slowest files and the reasons for skipped tests. The last line is for scripts:
 * `N passed, N failed, N skipped`.
 */
export default class RunSummaryReporter implements Reporter {
  #seed: number | undefined;
  #files = 0;
  #finished = 0;
  #failed = 0;
  #started = performance.now();

  onInit(vitest: Vitest): void {
    this.#seed = vitest.config.provide?.seed;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length;
    this.#finished = 0;
    this.#failed = 0;
    this.#started = performance.now();
  }

  onTestModuleEnd(module: TestModule): void {
    this.#finished++;
    if (module.state() === 'failed') this.#failed++;
    const step = Math.max(1, Math.round(this.#files / PROGRESS_STEPS));
    // A terminal has the live summary of vitest; a log gets a line at every twentieth of the run.
    if (process.stdout.isTTY || this.#files < PROGRESS_STEPS || this.#finished % step !== 0) return;
    const percent = Math.round((100 * this.#finished) / this.#files);
    process.stdout.write(
      `progress: ${percent}%, ${this.#finished} of ${this.#files} files, ${this.#failed} failed, ` +
        `${clock(performance.now() - this.#started)}\n`,
    );
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandled.length;
    let skipped = 0;
    let onlyInFullRun = 0;
    const reasons = new Map<string, number>();
    const flaky: string[] = [];
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (test.diagnostic()?.flaky === true)
          flaky.push(`${module.relativeModuleId} > ${test.fullName}${describeErrors(result.errors)}`);
        if (result.state === 'passed') passed++;
        else if (result.state === 'failed') failed++;
        else if (test.tags.includes('slow') && result.state === 'skipped' && result.note === undefined) onlyInFullRun++;
        else {
          skipped++;
          const reason = (result.state === 'skipped' && result.note) || 'no reason given';
          reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        }
      }
    }
    if (modules.length > SLOWEST) this.#reportTimes(modules);
    for (const [reason, count] of reasons) process.stdout.write(`skipped ${count}: ${reason}\n`);
    for (const name of flaky) process.stdout.write(`flaky, passed on the second attempt: ${name}\n`);
    if (onlyInFullRun > 0)
      process.stdout.write(`${onlyInFullRun} slow tests were not selected: npm run test:all runs them\n`);
    process.stdout.write(`seed ${this.#seed}: LINTEL_SEED=${this.#seed} repeats this run\n`);
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }

  #reportTimes(modules: readonly TestModule[]): void {
    const files = modules
      .map(module => ({ file: module.relativeModuleId, seconds: Math.round(durationOf(module) / 100) / 10 }))
      .toSorted((a, b) => b.seconds - a.seconds);
    process.stdout.write(`\nslowest ${SLOWEST} files:\n`);
    for (const { file, seconds } of files.slice(0, SLOWEST))
      process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file}\n`);
    process.stdout.write('\n');
    if (files.length < FILES_OF_A_WHOLE_RUN) return;
    const times: TestTimes = {
      command: process.env['LINTEL_TESTS'] === 'all' ? 'npm run test:all' : 'npm test',
      wallSeconds: Math.round((performance.now() - this.#started) / 1000),
      processors: availableParallelism(),
      files,
    };
    mkdirSync(dirname(TIMES_FILE), { recursive: true });
    writeFileSync(TIMES_FILE, JSON.stringify(times));
  }
}
