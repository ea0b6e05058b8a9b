import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Longer than the longest limit of a single test. */
const SILENCE_MS = 12 * 60_000;
const CHECK_INTERVAL_MS = 10_000;

/** Ends the run and names the running files when no test reports for a long time, such as when a process is blocked. */
export default class StuckFileReporter implements Reporter {
  readonly #running = new Map<string, { readonly name: string; lastTest: string }>();
  #lastReport = performance.now();

  onTestRunStart(): void {
    setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref();
  }

  onTestModuleStart(module: TestModule): void {
    this.#lastReport = performance.now();
    this.#running.set(module.id, { name: module.relativeModuleId, lastTest: 'none yet' });
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    const file = this.#running.get(module.id);
    if (file !== undefined) file.lastTest = fullName;
  }

  onTestCaseResult(): void {
    this.#lastReport = performance.now();
  }

  onTestModuleEnd(module: TestModule): void {
    this.#lastReport = performance.now();
    this.#running.delete(module.id);
  }

  #check(): void {
    if (performance.now() - this.#lastReport < SILENCE_MS) return;
    for (const { name, lastTest } of this.#running.values())
      process.stderr.write(`stuck: ${name}, last test started: ${lastTest}\n`);
    process.stderr.write(`no test has reported for ${SILENCE_MS / 60_000} minutes\n`);
    process.exit(1);
  }
}
