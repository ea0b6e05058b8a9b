import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FloodReport, FloodSettings } from './request-flood-process.ts';
import type { StreamFloodReport, StreamFloodSettings } from './stream-flood-process.ts';

/** A client that floods a server from a process of its own. */
export class Flood<Report> {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  static ofRequests(settings: FloodSettings): Promise<Flood<FloodReport>> {
    return Flood.#start('request-flood-process.ts', settings);
  }

  static ofStreams(settings: StreamFloodSettings): Promise<Flood<StreamFloodReport>> {
    return Flood.#start('stream-flood-process.ts', settings);
  }

  static async #start<Report>(program: string, settings: object): Promise<Flood<Report>> {
    const child = fork(join(import.meta.dirname, program), [JSON.stringify(settings)]);
    await once(child, 'message');
    return new Flood(child);
  }

  async report(): Promise<Report> {
    const answered = once(this.#process, 'message') as Promise<[Report]>;
    this.#process.send('report');
    return (await answered)[0];
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }
}
