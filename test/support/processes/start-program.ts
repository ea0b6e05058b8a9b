import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lintelProgramFile } from './bundled-programs.ts';

const START_MS = 90_000;
const home = join(import.meta.dirname, '../../..');

type ReadyLine = Readonly<Record<string, string>>;

interface Started<Ready> {
  readonly process: ChildProcess;
  readonly ready: Ready;
  /** What it wrote to stderr so far. */
  readonly log: () => string;
  /** Resolves with the exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
}

/** A program as a process that has printed its ready line. */
export class StartedProgram<Ready = ReadyLine> {
  readonly process: ChildProcess;
  readonly ready: Ready;
  readonly log: () => string;
  readonly exited: Promise<number | null>;

  constructor({ process, ready, log, exited }: Started<Ready>) {
    this.process = process;
    this.ready = ready;
    this.log = log;
    this.exited = exited;
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Resolves with the exit code. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.isRunning) this.process.kill(signal);
    return this.exited;
  }
}

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach(child => child.kill('SIGKILL')));

interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a program and waits for its ready line. It ends with this process at the latest. */
export const startProgram = async <Ready = ReadyLine>(
  [command, ...args]: readonly [string, ...string[]],
  { cwd = home, env = process.env }: ProgramOptions = {},
): Promise<StartedProgram<Ready>> => {
  const child = spawn(command, args, { cwd, env });
  running.add(child);
  const exited = (once(child, 'exit') as Promise<[number | null]>)
    .finally(() => running.delete(child))
    .then(([code]) => code);
  let log = '';
  child.stderr.on('data', chunk => {
    log += String(chunk);
  });
  const firstLine = once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(START_MS) });
  const closed = once(child, 'close').then(() => {
    throw new Error('The program ended');
  });
  try {
    const [line] = (await Promise.race([firstLine, closed])) as [string];
    closed.catch(() => undefined);
    return new StartedProgram({ process: child, ready: JSON.parse(line) as Ready, log: () => log, exited });
  } catch (error) {
    child.kill('SIGKILL');
    exited.catch(() => undefined);
    throw new Error(`No ready line from ${[command, ...args].join(' ')}\n${log}`, { cause: error });
  }
};

/** Starts `lintel …` and waits for its ready line. */
export const startLintel = <Ready = ReadyLine>(
  args: readonly string[],
  options?: ProgramOptions,
): Promise<StartedProgram<Ready>> => startProgram([process.execPath, lintelProgramFile, ...args], options);
