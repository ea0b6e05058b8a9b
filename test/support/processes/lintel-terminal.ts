import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { vi } from 'vitest';
import { lintelProgramFile } from './bundled-programs.ts';
import { python } from './python.ts';

const program = join(import.meta.dirname, 'terminal.py');
const home = join(import.meta.dirname, '../../..');

export interface TerminalExit {
  readonly code: number;
  /** The modes of the terminal after the program has ended. */
  readonly echo: boolean;
  readonly canonical: boolean;
}

type Size = readonly [columns: number, rows: number];

/** `lintel …` in a pseudo-terminal of this size. */
export class Terminal {
  readonly #pty: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #reports: AsyncIterator<string>;
  readonly pid: number;
  #output = '';

  private constructor(
    pty: ChildProcessByStdio<Writable, Readable, Readable>,
    reports: AsyncIterator<string>,
    pid: number,
  ) {
    this.#pty = pty;
    this.#reports = reports;
    this.pid = pid;
    pty.stdin.on('error', () => undefined);
    pty.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
  }

  static run(size: Size, ...args: readonly string[]): Promise<Terminal> {
    return Terminal.runFile(size, lintelProgramFile, ...args);
  }

  static async runFile(size: Size, ...args: readonly string[]): Promise<Terminal> {
    const call = ['-I', program, ...size.map(String), process.execPath, ...args];
    const pty = spawn(python(), call, { cwd: home, stdio: ['pipe', 'pipe', 'pipe'] });
    const reports = createInterface(pty.stderr)[Symbol.asyncIterator]();
    const { value } = await reports.next();
    return new Terminal(pty, reports, (JSON.parse(String(value)) as { pid: number }).pid);
  }

  type(keys: string): void {
    this.#pty.stdin.write(keys);
  }

  /** Everything that the program has written, escapes included. */
  get written(): string {
    return this.#output;
  }

  /** The screen as it is now, as lines without colors. */
  get screen(): string[] {
    const last = this.#output.slice(this.#output.lastIndexOf('\u001B[H') + 3);
    return stripVTControlCharacters(last).split(/\r+\n/);
  }

  /** Waits until a line of the screen has this text. */
  async waitFor(text: string | RegExp): Promise<void> {
    const isShown = (line: string): boolean => (typeof text === 'string' ? line.includes(text) : text.test(line));
    await vi.waitFor(
      () => {
        if (!this.screen.some(isShown))
          throw new Error(`Not on the screen: ${String(text)}\n${this.screen.join('\n')}`);
      },
      { timeout: 60_000, interval: 20 },
    );
  }

  /** Makes the terminal 100 columns wide. */
  widen(): void {
    this.#pty.kill('SIGUSR1');
  }

  async ended(): Promise<TerminalExit> {
    const { value } = await this.#reports.next();
    return JSON.parse(String(value)) as TerminalExit;
  }

  async close(): Promise<void> {
    if (this.#pty.exitCode !== null) return;
    const exited = once(this.#pty, 'exit');
    this.#pty.kill('SIGKILL');
    await exited;
  }
}
