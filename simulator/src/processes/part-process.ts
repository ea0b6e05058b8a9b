import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const home = join(import.meta.dirname, '../../..');
const lintel = join(home, 'cli/src/lintel.ts');
const endWithParent = pathToFileURL(join(import.meta.dirname, 'end-with-parent.ts')).href;

const LARGEST_LOG = 4 * 1024 * 1024;
/** Of each: the doors are stopped first and then the rest, within five seconds together. */
const PATIENCE_MS = 2200;
const SHOWN_LINES = 5;

export interface PartOptions {
  /** What it is called when something is said of it. */
  readonly name: string;
  /** Of the command `lintel`. */
  readonly args: readonly string[];
  readonly logFile: string;
  /** Working directory, default the root of the repository. */
  readonly cwd?: string;
  /** A command that sets something for the process and then becomes it. */
  readonly under?: readonly string[];
}

/** The newest lines of a log, and all of it in a file of its own, up to a size. */
const keepLog = (child: ChildProcess, file: string): (() => string) => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const kept = createWriteStream(file, { mode: 0o600 });
  kept.on('error', () => undefined);
  const newest: string[] = [];
  let size = 0;
  createInterface({ input: child.stderr! }).on('line', line => {
    newest.push(line);
    if (newest.length > SHOWN_LINES) newest.shift();
    size += line.length + 1;
    if (size < LARGEST_LOG) kept.write(`${line}\n`);
  });
  child.once('exit', () => kept.end());
  return () => newest.join('\n');
};

/** One part of the system, started by its production command. It never outlives this process. */
export class PartProcess {
  readonly name: string;
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  readonly #log: () => string;
  readonly #firstLine: Promise<string>;

  constructor({ name, args, logFile, cwd = home, under = [] }: PartOptions) {
    this.name = name;
    const [command, ...rest] = [...under, process.execPath, '--import', endWithParent, lintel, ...args];
    this.#child = spawn(command!, rest, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      // Ctrl-C in a terminal reaches the whole group: the parts are stopped by us, in order.
      detached: true,
    });
    this.#log = keepLog(this.#child, logFile);
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

  /** What the first line says, which it prints when it serves. */
  async ready<T>(): Promise<T> {
    const ended = this.exited.then(() => {
      throw new Error(`${this.name} ended before it was ready:\n${this.#log()}`);
    });
    return JSON.parse(await Promise.race([this.#firstLine, ended])) as T;
  }

  /** Without a word, as when the current is gone. */
  async cutPower(): Promise<void> {
    if (!this.isRunning) return;
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return;
    this.#child.kill('SIGTERM');
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), PATIENCE_MS);
    await this.exited;
    clearTimeout(impatience);
  }
}

/** A command of `lintel` to its end; answers what it printed. */
export const runToEnd = async (options: PartOptions): Promise<string> => {
  const child = spawn(process.execPath, ['--import', endWithParent, lintel, ...options.args], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const log = keepLog(child, options.logFile);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${options.name} failed:\n${log()}`);
  return printed;
};
