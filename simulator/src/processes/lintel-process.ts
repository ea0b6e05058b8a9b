import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const home = join(import.meta.dirname, '../../..');
const lintel = join(home, 'cli/src/lintel.ts');
const endWithParent = pathToFileURL(join(import.meta.dirname, 'end-with-parent.ts')).href;

const MAX_LOG_BYTES = 4 * 1024 * 1024;
/** The controllers stop first, then the other processes: at most five seconds in total. */
const STOP_TIMEOUT_MS = 2200;
const RECENT_LINES = 5;

export interface LintelProcessOptions {
  /** Name for error messages. */
  readonly name: string;
  /** Arguments of the command `lintel`. */
  readonly args: readonly string[];
  readonly logFile: string;
  /** Working directory, default the root of the repository. */
  readonly cwd?: string;
  /** Command prefix, such as `prlimit` with its options. */
  readonly commandPrefix?: readonly string[];
}

/** Writes the log to a file, up to a maximum size. Returns a function for the newest lines. */
const captureLog = (child: ChildProcess, file: string): (() => string) => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const stream = createWriteStream(file, { mode: 0o600 });
  stream.on('error', () => undefined);
  const newest: string[] = [];
  let size = 0;
  createInterface({ input: child.stderr! }).on('line', line => {
    newest.push(line);
    if (newest.length > RECENT_LINES) newest.shift();
    size += line.length + 1;
    if (size < MAX_LOG_BYTES) stream.write(`${line}\n`);
  });
  child.once('exit', () => stream.end());
  return () => newest.join('\n');
};

/** A program of the demo, started with its production command. It ends with this process. */
export class LintelProcess {
  readonly name: string;
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  readonly #log: () => string;
  readonly #firstLine: Promise<string>;

  constructor({ name, args, logFile, cwd = home, commandPrefix = [] }: LintelProcessOptions) {
    this.name = name;
    const [command, ...rest] = [...commandPrefix, process.execPath, '--import', endWithParent, lintel, ...args];
    this.#child = spawn(command!, rest, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      // A separate process group: Ctrl-C reaches only this process, which stops the others in order.
      detached: true,
    });
    this.#log = captureLog(this.#child, logFile);
    this.exited = new Promise(resolve => {
      this.#child.once('exit', () => resolve());
      this.#child.once('error', () => resolve());
    });
    this.#firstLine = new Promise(resolve => {
      createInterface({ input: this.#child.stdout! }).once('line', resolve);
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined;
  }

  /** Resolves with the JSON document that the program prints when it is ready. */
  async ready<T>(): Promise<T> {
    const ended = this.exited.then(() => {
      throw new Error(`${this.name} ended before it was ready:\n${this.#log()}`);
    });
    return JSON.parse(await Promise.race([this.#firstLine, ended])) as T;
  }

  /** Kills the process, as a power cut does. */
  async cutPower(): Promise<void> {
    if (!this.isRunning) return;
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return;
    this.#child.kill('SIGTERM');
    const timeout = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.exited;
    clearTimeout(timeout);
  }
}

/** Runs a `lintel` command to its end. Resolves with its output. */
export const runLintelCommand = async (options: LintelProcessOptions): Promise<string> => {
  const child = spawn(process.execPath, ['--import', endWithParent, lintel, ...options.args], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const log = captureLog(child, options.logFile);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${options.name} failed:\n${log()}`);
  return printed;
};
