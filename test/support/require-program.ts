import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';

/** A system program that a test requires, and how to install it. */
export interface RequiredProgram {
  readonly command: string;
  readonly install: string;
}

export const isPresent = (program: RequiredProgram): boolean =>
  spawnSync('sh', ['-c', `command -v ${program.command}`], { stdio: 'ignore' }).status === 0;

/** Skips the test if the program is missing. With CI=true the test fails instead. */
export const requireProgram = (context: TestContext, program: RequiredProgram): void => {
  if (isPresent(program)) return;
  const missing = `${program.command} is not installed (${program.install})`;
  if (process.env['CI'] === 'true') throw new Error(missing);
  context.skip(missing);
};
