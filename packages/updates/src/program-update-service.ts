import { createTimerErrorLogger, guardTimerWork } from '@lintel/service/timing/repeating-timer';
import type { Log } from '@lintel/service/log-function-type';
import type { CurrentProgramHealth } from './health-regressions.ts';
import { toDebianArchitecture } from './debian-architecture.ts';
import { readProgramDescription, ReleasesFolder } from './releases-folder.ts';
import { ReleaseTrialMonitor } from './trial-monitor.ts';
import type { UpdatableProgram } from './updatable-program-interface.ts';
import { programPaths, type UpdatableProgramName } from './program-paths.ts';
import { ReleaseUpdater } from './release-updater.ts';

/** Set by the launcher; empty when the program was started by hand. */
type LaunchEnvironment = Readonly<Record<string, string | undefined>>;

export interface ProgramUpdateServiceDependencies {
  readonly product: UpdatableProgramName;
  readonly env: LaunchEnvironment;
  readonly log: Log;
  readonly restart: () => void;
}

const PENDING_CHECK_MS = 1000;
/** A trial ends itself before its guard does. */
const GUARD_MARGIN_MS = 10_000;

/** Converts seconds to milliseconds. */
const parseSeconds = (text: string | undefined, fallback: number): number => {
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : fallback;
};

/** Updates of this program: download, restart when idle, and the trial of a new version. */
export class ProgramUpdateService {
  readonly handler: ReleaseUpdater;
  readonly version: string;
  readonly #deps: ProgramUpdateServiceDependencies;
  readonly #files: ReleasesFolder;
  readonly #release: string;
  #program: UpdatableProgram | null = null;
  #isReady = false;
  #trial: ReleaseTrialMonitor | null = null;
  #cancel: () => void = () => undefined;

  constructor(deps: ProgramUpdateServiceDependencies) {
    const { env, log, restart, product } = deps;
    this.#deps = deps;
    this.#files = new ReleasesFolder(env['LINTEL_RELEASES'] ?? '');
    this.#release = env['LINTEL_RELEASE'] ?? '';
    this.version = env['LINTEL_RELEASE_VERSION'] ?? '0.0.0';
    const own = readProgramDescription(env['LINTEL_PACKAGE'] ?? '');
    this.handler = new ReleaseUpdater({
      files: this.#files,
      keysFolder: env['LINTEL_RELEASE_KEYS'] ?? programPaths[product].keys,
      program: product,
      arch: toDebianArchitecture(),
      version: this.version,
      packageVersion: own?.version ?? this.version,
      release: this.#release,
      log,
      bridgeAccess: () => this.#program?.bridgeAccess() ?? null,
      waitUntilIdle: (withinMs, signal) => {
        const program = this.#program!;
        const quietMs = parseSeconds(env['LINTEL_QUIET_SECONDS'], program.quietMs);
        return program.waitUntilIdle({ quietMs, withinMs, signal });
      },
      health: () => this.#health(),
      restart,
    });
  }

  #health(): CurrentProgramHealth {
    const { isServing, ...health } = this.#program!.health();
    return { ...health, isReady: this.#isReady && isServing };
  }

  /** To be called when the program serves. */
  start(program: UpdatableProgram): void {
    this.#program = program;
    const { env, log, restart } = this.#deps;
    const guardMs = parseSeconds(env['LINTEL_TRIAL_SECONDS'], 300_000);
    this.#trial = new ReleaseTrialMonitor({
      files: this.#files,
      release: this.#release,
      clock: program.clock,
      health: () => this.#health(),
      settleMs: parseSeconds(env['LINTEL_SETTLE_SECONDS'], 10_000),
      deadlineMs: parseSeconds(env['LINTEL_TRIAL_DEADLINE_SECONDS'], Math.max(guardMs / 2, guardMs - GUARD_MARGIN_MS)),
      log,
      onConfirmed: () => this.#reportResult(),
      onRolledBack: restart,
    });
    this.#trial.start();
    this.#reportResult();
    this.#checkPending();
  }

  /** To be called after the program has printed that it is ready. */
  ready(): void {
    this.#isReady = true;
  }

  #checkPending(): void {
    const check = guardTimerWork(() => this.#checkPending(), createTimerErrorLogger(this.#deps.log));
    this.#cancel = this.#program!.clock.after(PENDING_CHECK_MS, check);
    this.handler.checkPending();
  }

  /** Records the result as an event once, and reports it to the bridge after each start. */
  #reportResult(): void {
    const slots = this.#files.read();
    const { last } = slots;
    if (last === null) return;
    this.handler.setResult(last);
    if (last.is_logged) return;
    const { version, result, reason } = last;
    if (result === 'confirmed') this.#program!.recordEvent('updated', version);
    else this.#program!.recordEvent('update_rolled_back', `${version}: ${reason ?? ''}`);
    try {
      this.#files.write({ ...slots, last: { ...last, is_logged: true } });
      this.#files.prune();
    } catch (error) {
      this.#deps.log('warn', 'The result of an update cannot be saved and will be recorded again', {
        why: (error as Error).message,
      });
    }
  }

  stop(): void {
    this.#cancel();
    this.#trial?.stop();
    this.handler.stop();
  }
}
