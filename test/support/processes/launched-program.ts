import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SlotFiles } from '@lintel/device-link/updates/slot-files';

const home = join(import.meta.dirname, '../../..');
const ownProgram = { node: process.execPath, launcher: join(home, 'device-link/src/updates/launcher.ts') };

export interface LaunchedOptions {
  readonly dataDir: string;
  readonly releases: string;
  /** The program of the package. */
  readonly packageFolder: string;
  readonly keys: string;
  readonly args?: readonly string[];
  readonly trialSeconds?: number;
  /** Of a package, instead of this checkout's. */
  readonly program?: { readonly node: string; readonly launcher: string };
}

/** A program as its unit starts it: through the launcher, and again whenever it ends. */
export abstract class LaunchedProgram {
  protected readonly options: LaunchedOptions;
  readonly files: SlotFiles;
  #child: ChildProcess | null = null;
  #isStopped = false;
  #log = '';
  starts = 0;
  /** Ready lines so far. */
  readies = 0;
  /** The last of them. */
  ready: Readonly<Record<string, string | null>> = {};

  constructor(options: LaunchedOptions) {
    this.options = options;
    this.files = new SlotFiles(options.releases);
  }

  /** What the unit tells it. */
  protected abstract call(): readonly string[];

  get log(): string {
    return this.#log;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  start(): this {
    const { releases, packageFolder, keys, args = [], trialSeconds = 90, program = ownProgram } = this.options;
    const own = ['--releases', releases, '--package', packageFolder, '--trial-seconds', String(trialSeconds)];
    const call = ['--disable-warning=ExperimentalWarning', program.launcher, ...own, '--', ...this.call(), ...args];
    const env = { ...process.env, LINTEL_RELEASE_KEYS: keys, LINTEL_QUIET_SECONDS: '1', LINTEL_SETTLE_SECONDS: '1' };
    const child = spawn(program.node, call, { cwd: home, env });
    this.starts++;
    this.#child = child;
    child.stderr.on('data', chunk => {
      this.#log += String(chunk);
    });
    createInterface({ input: child.stdout }).on('line', line => {
      this.ready = JSON.parse(line) as LaunchedProgram['ready'];
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

  /** Rejects while nothing serves. */
  abstract use(): Promise<void>;

  /** Whether it serves in this moment. */
  isServing(): Promise<boolean> {
    return this.use().then(
      () => true,
      () => false,
    );
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
