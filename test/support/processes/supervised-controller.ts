import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevice } from './device-process.ts';
import type { StartedProgram } from './start-program.ts';

type Program = StartedProgram<Readonly<Record<string, string | null>>>;

/** `lintel device` without a profile, restarted at the same address when it exits by itself, as systemd does. */
export class SupervisedController {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'lintel-supervised-'));
  /** The exit codes so far. */
  readonly exits: (number | null)[] = [];
  #program: Program | null = null;
  #isClosed = false;

  static async start(): Promise<SupervisedController> {
    const controller = new SupervisedController();
    await controller.#run('0');
    return controller;
  }

  async #run(port: string): Promise<void> {
    const program = await startDevice(this.dataDir, '--technician-port', port);
    this.#program = program;
    void this.#restartAfter(program);
  }

  async #restartAfter(program: Program): Promise<void> {
    this.exits.push(await program.exited);
    if (!this.#isClosed) await this.#run(new URL(this.url).port);
  }

  get ready(): Program['ready'] {
    if (this.#program === null) throw new Error('The controller is not ready');
    return this.#program.ready;
  }

  get url(): string {
    return this.ready['technician']!;
  }

  get setupCode(): string {
    return readFileSync(join(this.dataDir, 'technician/setup-code'), 'utf8').trim();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#program?.stop('SIGKILL');
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
