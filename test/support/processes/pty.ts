import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { RequiredProgram } from '../require-program.ts';
import { python } from './python.ts';

export const requiredPython: RequiredProgram = { command: 'python3', install: 'apt-get install python3' };

const program = fileURLToPath(new URL('pty.py', import.meta.url));

type DeviceEnd = ChildProcessByStdio<Writable, Readable, Readable>;

const startDeviceEnd = async (): Promise<{ readonly end: DeviceEnd; readonly terminal: string }> => {
  const end = spawn(python(), ['-I', program], { stdio: ['pipe', 'pipe', 'pipe'] });
  const [terminal] = (await once(createInterface(end.stderr), 'line')) as [string];
  return { end, terminal };
};

/** A serial line with real termios (a pseudo-terminal), and the device at its other end. */
export class Pty {
  /** Stays the same when the line is plugged in again, like names in /dev/serial/by-id. */
  readonly path: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'lintel-pty-'));
  readonly #listeners: ((bytes: Uint8Array) => void)[] = [];
  #end: DeviceEnd | null = null;
  #received: Uint8Array[] = [];

  constructor() {
    this.path = join(this.#folder, 'line');
  }

  async plugIn(): Promise<void> {
    const { end, terminal } = await startDeviceEnd();
    end.stdin.on('error', () => undefined);
    end.stdout.on('data', (bytes: Buffer) => {
      this.#received.push(bytes);
      for (const listener of this.#listeners) listener(bytes);
    });
    this.#end = end;
    symlinkSync(terminal, this.path);
  }

  async unplug(): Promise<void> {
    if (this.#end === null) return;
    const exited = once(this.#end, 'exit');
    unlinkSync(this.path);
    this.#end.kill('SIGKILL');
    this.#end = null;
    await exited;
  }

  /** Resolves when the bytes are written to the line. */
  async write(bytes: Uint8Array): Promise<void> {
    const stdin = this.#end?.stdin;
    if (stdin === undefined || !stdin.writable) throw new Error('The line is unplugged');
    await new Promise<void>(resolve => stdin.write(bytes, () => resolve()));
  }

  onBytes(listener: (bytes: Uint8Array) => void): void {
    this.#listeners.push(listener);
  }

  /** All bytes since the last `forget`. */
  received(): Buffer {
    return Buffer.concat(this.#received);
  }

  forget(): void {
    this.#received = [];
  }

  async close(): Promise<void> {
    await this.unplug();
    rmSync(this.#folder, { recursive: true });
  }
}

export const openPty = async (): Promise<Pty> => {
  const pty = new Pty();
  await pty.plugIn();
  return pty;
};
