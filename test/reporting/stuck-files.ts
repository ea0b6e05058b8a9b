import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Longer than the longest limit of a single test. */
const SILENCE_MS = 12 * 60_000;
const LOOK_EVERY_MS = 10_000;

/** A file whose process is blocked never reports, and no limit of a test ends it: the run names it and fails. */
export default class StuckFiles implements Reporter {
  readonly #underWay = new Map<string, { readonly name: string; lastTest: string }>();
  #heard = performance.now();

  onTestRunStart(): void {
    setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  onTestModuleStart(module: TestModule): void {
    this.#heard = performance.now();
    this.#underWay.set(module.id, { name: module.relativeModuleId, lastTest: 'none yet' });
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    const file = this.#underWay.get(module.id);
    if (file !== undefined) file.lastTest = fullName;
  }

  onTestCaseResult(): void {
    this.#heard = performance.now();
  }

  onTestModuleEnd(module: TestModule): void {
    this.#heard = performance.now();
    this.#underWay.delete(module.id);
  }

  #look(): void {
    if (performance.now() - this.#heard < SILENCE_MS) return;
    for (const { name, lastTest } of this.#underWay.values())
      process.stderr.write(`stuck: ${name}, begun last: ${lastTest}\n`);
    process.stderr.write(`nothing was heard of any test for ${SILENCE_MS / 60_000} minutes\n`);
    process.exit(1);
  }
}
