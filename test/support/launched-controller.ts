import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SlotFiles } from '@lintel/device-runtime/updates/slot-files';

const home = join(import.meta.dirname, '../..');
const laptop = join(home, 'hardware-profiles/profiles/laptop-simulator.json');
const launcher = join(home, 'device-runtime/src/updates/launcher.ts');

export interface LaunchedOptions {
  readonly dataDir: string;
  readonly releases: string;
  /** The program of the package. */
  readonly packageFolder: string;
  readonly keys: string;
  readonly args?: readonly string[];
  readonly trialSeconds?: number;
}

/** A controller as its unit starts it: through the launcher, and again whenever it ends. */
export class LaunchedController {
  readonly #options: LaunchedOptions;
  readonly files: SlotFiles;
  #child: ChildProcess | null = null;
  #isStopped = false;
  #log = '';
  starts = 0;
  /** Ready lines so far. */
  readies = 0;

  constructor(options: LaunchedOptions) {
    this.#options = options;
    this.files = new SlotFiles(options.releases);
  }

  get log(): string {
    return this.#log;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  start(): this {
    const { dataDir, releases, packageFolder, keys, args = [], trialSeconds = 90 } = this.#options;
    const page = ['--technician-host', '127.0.0.1', '--technician-port', '0', '--no-mdns'];
    const device = ['device', '--profile', laptop, '--data', dataDir, ...page, ...args];
    const own = ['--releases', releases, '--package', packageFolder, '--trial-seconds', String(trialSeconds)];
    const call = ['--disable-warning=ExperimentalWarning', launcher, ...own, '--', ...device];
    const env = { ...process.env, LINTEL_RELEASE_KEYS: keys, LINTEL_QUIET_SECONDS: '1', LINTEL_SETTLE_SECONDS: '1' };
    const child = spawn(process.execPath, call, { cwd: home, env });
    this.starts++;
    this.#child = child;
    child.stderr.on('data', chunk => {
      this.#log += String(chunk);
    });
    createInterface({ input: child.stdout }).on('line', () => {
      this.readies++;
    });
    child.once('exit', code => {
      this.#log += `ended with ${String(code)}\n`;
      this.#child = null;
      if (!this.#isStopped) setTimeout(() => !this.#isStopped && this.start(), 50);
    });
    return this;
  }

  /** The power goes: the process ends without a word, and comes back. */
  cutPower(): void {
    this.#child?.kill('SIGKILL');
  }

  /** What runs once everything has settled. */
  get good(): string | null {
    return this.files.read().good?.version ?? null;
  }

  get last(): string | null {
    const { last } = this.files.read();
    return last === null ? null : `${last.version} ${last.result}`;
  }

  /** Types at the door. Rejects while nothing serves. */
  async type(keys: string): Promise<void> {
    const socket = createConnection(join(this.#options.dataDir, 'parts.sock'));
    await once(socket, 'connect');
    socket.end(Array.from(keys, key => `${JSON.stringify({ key })}\n`).join(''));
    socket.resume();
    await once(socket, 'close');
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#isStopped = true;
    const child = this.#child;
    if (child === null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), 8000);
    await exited;
    clearTimeout(late);
  }
}
