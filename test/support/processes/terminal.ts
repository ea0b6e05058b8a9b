import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

const program = join(import.meta.dirname, 'terminal.py');
const home = join(import.meta.dirname, '../../..');

export interface Ended {
  readonly code: number;
  /** Of the terminal: it shows what is typed, and takes lines. */
  readonly echo: boolean;
  readonly canonical: boolean;
}

type Size = readonly [columns: number, rows: number];

/** `lintel …` in a real terminal of this size. */
export class Terminal {
  readonly #far: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #said: AsyncIterator<string>;
  readonly pid: number;
  #shown = '';

  private constructor(
    far: ChildProcessByStdio<Writable, Readable, Readable>,
    said: AsyncIterator<string>,
    pid: number,
  ) {
    this.#far = far;
    this.#said = said;
    this.pid = pid;
    far.stdin.on('error', () => undefined);
    far.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#shown += text;
    });
  }

  static run(size: Size, ...args: readonly string[]): Promise<Terminal> {
    return Terminal.runFile(size, join(home, 'lintel.ts'), ...args);
  }

  static async runFile(size: Size, ...args: readonly string[]): Promise<Terminal> {
    const call = ['-I', program, ...size.map(String), process.execPath, ...args];
    const far = spawn('python3', call, { cwd: home, stdio: ['pipe', 'pipe', 'pipe'] });
    const said = createInterface(far.stderr)[Symbol.asyncIterator]();
    const { value } = await said.next();
    return new Terminal(far, said, (JSON.parse(String(value)) as { pid: number }).pid);
  }

  type(keys: string): void {
    this.#far.stdin.write(keys);
  }

  /** Everything that the program has written, escapes included. */
  get written(): string {
    return this.#shown;
  }

  /** The screen as it is now, as lines without colours. */
  get screen(): string[] {
    const last = this.#shown.slice(this.#shown.lastIndexOf('\u001B[H') + 3);
    return stripVTControlCharacters(last).split(/\r+\n/);
  }

  /** Waits until the screen shows it. */
  async shows(text: string | RegExp, withinMs = 20_000): Promise<void> {
    const isShown = (): boolean =>
      this.screen.some(line => (typeof text === 'string' ? line.includes(text) : text.test(line)));
    for (const end = performance.now() + withinMs; !isShown(); await delay(20)) {
      if (performance.now() > end) throw new Error(`${String(text)} is not shown:\n${this.screen.join('\n')}`);
    }
  }

  widen(): void {
    this.#far.kill('SIGUSR1');
  }

  async ended(): Promise<Ended> {
    const { value } = await this.#said.next();
    return JSON.parse(String(value)) as Ended;
  }

  async close(): Promise<void> {
    if (this.#far.exitCode !== null) return;
    const gone = once(this.#far, 'exit');
    this.#far.kill('SIGKILL');
    await gone;
  }
}
