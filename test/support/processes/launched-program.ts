import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ReleasesFolder } from '@lintel/updates/releases-folder';

const home = join(import.meta.dirname, '../../..');
const ownProgram = { node: process.execPath, launcher: fileURLToPath(import.meta.resolve('@lintel/updates/launcher')) };

export interface LaunchedOptions {
  readonly dataDir: string;
  readonly releases: string;
  /** Where the package is installed. */
  readonly packageFolder: string;
  readonly keys: string;
  readonly args?: readonly string[];
  readonly trialSeconds?: number;
  /** A version on trial that is not healthy gives up after this time. Default: shortly before the trial ends. */
  readonly deadlineSeconds?: number;
  /** Default: the node and the launcher of this checkout. */
  readonly program?: { readonly node: string; readonly launcher: string };
}

/** A program as systemd runs it: started by the launcher, and restarted when it ends. */
export abstract class LaunchedProgram {
  protected readonly options: LaunchedOptions;
  readonly files: ReleasesFolder;
  #child: ChildProcess | null = null;
  #isStopped = false;
  #log = '';
  starts = 0;
  /** How many ready lines were printed. */
  readies = 0;
  /** The last ready line. */
  ready: Readonly<Record<string, string | null>> = {};

  constructor(options: LaunchedOptions) {
    this.options = options;
    this.files = new ReleasesFolder(options.releases);
  }

  /** The arguments of the program, as in its systemd unit. */
  protected abstract call(): readonly string[];

  get log(): string {
    return this.#log;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  start(): this {
    const {
      releases,
      packageFolder,
      keys,
      args = [],
      trialSeconds = 90,
      deadlineSeconds,
      program = ownProgram,
    } = this.options;
    const own = ['--releases', releases, '--package', packageFolder, '--trial-seconds', String(trialSeconds)];
    const call = ['--disable-warning=ExperimentalWarning', program.launcher, ...own, '--', ...this.call(), ...args];
    const env = {
      ...process.env,
      LINTEL_RELEASE_KEYS: keys,
      LINTEL_QUIET_SECONDS: '0.2',
      LINTEL_SETTLE_SECONDS: '0.5',
      ...(deadlineSeconds === undefined ? {} : { LINTEL_TRIAL_DEADLINE_SECONDS: String(deadlineSeconds) }),
    };
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
      if (!this.#isStopped) this.start();
    });
    return this;
  }

  /** Kills the process, which is then restarted. */
  cutPower(): void {
    this.#child?.kill('SIGKILL');
  }

  /** The confirmed version. Null: the one of the package. */
  get good(): string | null {
    return this.files.read().good?.version ?? null;
  }

  get last(): string | null {
    const { last } = this.files.read();
    return last === null ? null : `${last.version} ${last.result}`;
  }

  /** Rejects while the program does not serve. */
  abstract use(): Promise<void>;

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
