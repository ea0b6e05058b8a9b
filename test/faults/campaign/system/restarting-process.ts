import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const endWithParent = fileURLToPath(import.meta.resolve('@lintel/simulator/processes/end-with-parent'));
const reportLiveHeap = join(import.meta.dirname, 'report-live-heap.ts');
const RESTART_MS = 200;
const LOG_CHARACTERS = 4000;
/** A process that neither becomes ready nor ends for this long has failed: systemd would not restart it. */
const START_LIMIT_MS = 180_000;
/** More attempts than any fault outlasts. */
const MOST_ATTEMPTS = 100;

export interface PartOptions {
  readonly name: string;
  /** Arguments of node. */
  readonly call: readonly string[];
  /** Each line on stdout after the ready line. */
  readonly onLine?: (line: string) => void;
  /** The process has ended, and all its output has been read. */
  readonly onEnd?: () => void;
}

/** A part of the system as a process that is killed by faults, and restarted as systemd does. */
export class PartProcess {
  readonly name: string;
  readonly #options: PartOptions;
  #child: ChildProcessByStdio<Writable, Readable, Readable> | null = null;
  #isWanted = false;
  #hasBeenReady = false;
  #log = '';
  /** Faults of the same part run one after another. */
  #queue: Promise<unknown> = Promise.resolve();
  /** Ends without a kill after the part was ready. */
  readonly crashes: string[] = [];

  constructor(options: PartOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Null when the part does not run. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get log(): string {
    return this.#log;
  }

  /** Runs the work when all earlier work with this part has ended. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** Resolves when it is ready. A start that fails, for example on a full disk, is repeated, except the first. */
  async start(): Promise<void> {
    this.#isWanted = true;
    for (let attempt = 1; this.#isWanted && !(await this.#tryStart()); attempt++) {
      if (attempt === MOST_ATTEMPTS || !this.#hasBeenReady)
        throw new Error(`${this.name} does not start: ${this.#log}`);
      await delay(RESTART_MS);
    }
  }

  async #tryStart(): Promise<boolean> {
    const preloaded = ['--import', endWithParent, '--expose-gc', '--import', reportLiveHeap];
    const child = spawn(process.execPath, [...preloaded, ...this.#options.call], {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'ipc'],
    }) as ChildProcessByStdio<Writable, Readable, Readable>;
    this.#child = child;
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', chunk => {
      this.#log = (this.#log + String(chunk)).slice(-LOG_CHARACTERS);
    });
    const isReady = Promise.withResolvers<boolean>();
    let hasStarted = false;
    createInterface({ input: child.stdout }).on('line', line => {
      if (hasStarted) return this.#options.onLine?.(line);
      hasStarted = true;
      this.#hasBeenReady = true;
      isReady.resolve(true);
    });
    child.once('close', () => this.#options.onEnd?.());
    child.once('exit', (code, signal) => {
      isReady.resolve(false);
      if (this.#child !== child || !this.#isWanted) return;
      if (!hasStarted) return;
      this.crashes.push(`${this.name} ended with ${String(code ?? signal)}: ${this.#log}`);
      void this.start();
    });
    const limit = setTimeout(() => {
      this.crashes.push(`${this.name} neither became ready nor ended: ${this.#log}`);
      child.kill('SIGKILL');
    }, START_LIMIT_MS);
    return isReady.promise.finally(() => clearTimeout(limit));
  }

  /** Writes a line to stdin. False when the part does not run. */
  send(command: object): boolean {
    return this.#child?.stdin.writable === true && this.#child.stdin.write(`${JSON.stringify(command)}\n`) !== null;
  }

  /** Bytes of the heap that are in use after a full garbage collection. Null when the part does not run. */
  async liveHeap(): Promise<number | null> {
    const child = this.#child;
    if (child === null || !child.connected) return null;
    const settled = new AbortController();
    const { signal } = settled;
    child.send('live heap', () => undefined);
    return Promise.race([
      once(child, 'message', { signal }).then(([bytes]) => bytes as number),
      once(child, 'disconnect', { signal }).then(() => null),
    ]).finally(() => settled.abort());
  }

  /** Resolves when the process has ended and all its output has been read. */
  async kill(): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }
}
