import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type StartedProgram, startProgram } from './start-program.ts';

/** Neither the Node of this checkout in PATH nor npm's settings. */
const emptyEnvironment = { PATH: '/usr/bin:/bin' };

/** Runs a program of an unpacked package to its end and returns its stdout. */
export const callProgram = async (program: string, ...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(program, [...args], { env: emptyEnvironment, cwd: '/' })).stdout;

/** Starts a program of an unpacked package and waits for its ready line. */
export const startPackagedProgram = (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StartedProgram> => startProgram([program, ...args], { env: { ...emptyEnvironment, ...env }, cwd: '/' });
