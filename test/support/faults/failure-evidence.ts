import { cpSync, lstatSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { TestContext } from 'vitest';
import { runSeed } from '../test-iterations-and-seed.ts';

export interface FailureEvidence {
  /** Data directories of the programs under test. A missing one is left out. */
  readonly directories?: readonly string[];
  /** Log text by the name of its program. */
  readonly logs?: Readonly<Record<string, string>>;
}

/** A copy that fails must not hide why the test failed. */
const copyDirectory = (from: string, to: string): void => {
  try {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: path => !lstatSync(path).isSocket() });
  } catch (error) {
    writeFileSync(`${to}.incomplete`, String(error));
  }
};

/**
 * Keeps data and logs of a failed test, and prints where they are and with which seed the run was started. Call it in
 * `afterEach` before the cleanup. Does nothing for a test that passed.
 */
export const keepFailureEvidence = (
  { task }: Pick<TestContext, 'task'>,
  { directories = [], logs = {} }: FailureEvidence,
): void => {
  if (task.result?.state !== 'fail') return;
  const kept = mkdtempSync(join(tmpdir(), 'lintel-failed-'));
  for (const directory of directories) copyDirectory(directory, join(kept, basename(directory)));
  mkdirSync(join(kept, 'logs'));
  for (const [name, text] of Object.entries(logs)) writeFileSync(join(kept, 'logs', `${name}.log`), text);
  const seed = runSeed();
  writeFileSync(join(kept, 'test.txt'), `${task.fullName}\nLINTEL_SEED=${seed}\n`);
  process.stderr.write(`Failed: ${task.fullName}\nData and logs: ${kept}\nRepeat with LINTEL_SEED=${seed}\n`);
};
