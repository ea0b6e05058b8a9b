import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FloodReport, FloodSettings } from './request-flood-process.ts';

/** A client that floods a server from a process of its own. */
export class Flood {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  static async start(settings: FloodSettings): Promise<Flood> {
    const child = fork(join(import.meta.dirname, 'request-flood-process.ts'), [JSON.stringify(settings)]);
    await once(child, 'message');
    return new Flood(child);
  }

  async report(): Promise<FloodReport> {
    const answered = once(this.#process, 'message') as Promise<[FloodReport]>;
    this.#process.send('report');
    return (await answered)[0];
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }
}
