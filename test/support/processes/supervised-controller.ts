import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lintelProgramFile } from './bundled-programs.ts';

const home = join(import.meta.dirname, '../../..');

interface ReadyLine {
  readonly product_id: string;
  readonly technician: string;
}

/** `lintel device` without a profile, restarted at the same address when it exits by itself, as systemd does. */
export class SupervisedController {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'lintel-supervised-'));
  /** The exit codes so far. */
  readonly exits: (number | null)[] = [];
  #ready: ReadyLine | null = null;
  #child: ChildProcess | null = null;
  #isClosed = false;

  static async start(): Promise<SupervisedController> {
    const controller = new SupervisedController();
    await controller.#run('0');
    return controller;
  }

  async #run(port: string): Promise<void> {
    const page = ['--technician-host', '127.0.0.1', '--technician-port', port, '--no-mdns'];
    const child = spawn(process.execPath, [lintelProgramFile, 'device', '--data', this.dataDir, ...page], {
      cwd: home,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#child = child;
    child.once('exit', code => {
      this.exits.push(code);
      if (!this.#isClosed) void this.#run(new URL(this.url).port);
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    this.#ready = JSON.parse(line) as ReadyLine;
  }

  get ready(): ReadyLine {
    if (this.#ready === null) throw new Error('The controller is not ready');
    return this.#ready;
  }

  get url(): string {
    return this.ready.technician;
  }

  get setupCode(): string {
    return readFileSync(join(this.dataDir, 'technician/setup-code'), 'utf8').trim();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
