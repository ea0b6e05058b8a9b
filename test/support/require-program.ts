import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'vitest';

/** A system program that a test requires, and how to install it. */
export interface RequiredProgram {
  readonly command: string;
  readonly install: string;
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export const isPresent = ({ command }: RequiredProgram): boolean =>
  command.includes('/')
    ? isExecutable(command)
    : (process.env['PATH'] ?? '').split(delimiter).some(folder => isExecutable(join(folder, command)));

/** Skips the test if the program is missing. With CI=true the test fails instead. */
export const requireProgram = (context: Pick<TestContext, 'skip'>, program: RequiredProgram): void => {
  if (isPresent(program)) return;
  const missing = `${program.command} is not installed (${program.install})`;
  if (process.env['CI'] === 'true') throw new Error(missing);
  context.skip(missing);
};
