import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** Neither the Node of this checkout in PATH nor npm's settings. */
const emptyEnvironment = { PATH: '/usr/bin:/bin' };

export interface RunningProgram {
  readonly process: ChildProcess;
  readonly ready: Readonly<Record<string, string | null>>;
  readonly log: () => string;
  /** Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs a program of an unpacked package to its end and returns its stdout. */
export const callProgram = async (program: string, ...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(program, [...args], { env: emptyEnvironment, cwd: '/' })).stdout;

/** Starts a program of an unpacked package and waits for its ready line. */
export const startProgram = async (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningProgram> => {
  const child = spawn(program, [...args], { env: { ...emptyEnvironment, ...env }, cwd: '/' });
  const dies = () => child.kill('SIGKILL');
  process.once('exit', dies);
  let log = '';
  child.stderr.on('data', chunk => {
    log += String(chunk);
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ended = exited.then(([code]) => {
    process.off('exit', dies);
    throw new Error(`${program} ended with ${String(code)} before it was ready: ${log}`);
  });
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
  ended.catch(() => undefined);
  return {
    process: child,
    ready: JSON.parse(line) as Record<string, string | null>,
    log: () => log,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await exited)[0];
    },
  };
};
