import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Prints what was skipped and why, and ends on the one line that scripts read: `N passed, N failed, N skipped`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandled.length;
    let skipped = 0;
    const reasons = new Map<string, number>();
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') passed++;
        else if (result.state === 'failed') failed++;
        else {
          skipped++;
          const why = (result.state === 'skipped' && result.note) || 'no reason given';
          reasons.set(why, (reasons.get(why) ?? 0) + 1);
        }
      }
    }
    for (const [why, count] of reasons) process.stdout.write(`skipped ${count}: ${why}\n`);
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}
