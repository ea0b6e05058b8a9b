import { createTimerErrorLogger, guardTimerWork } from '@lintel/service/timing/repeating-timer';
import type { Log } from '@lintel/service/log-function-type';
import { type CurrentProgramHealth, listHealthRegressions } from './health-regressions.ts';
import { confirmCandidateInSlots, rollBackCandidateInSlots } from './update-slot-state.ts';
import type { ReleasesFolder } from './releases-folder.ts';
import type { UpdateClock } from './update-clock-interface.ts';

export interface ReleaseTrialMonitorDependencies {
  readonly files: ReleasesFolder;
  /** The release that runs. */
  readonly release: string;
  readonly clock: UpdateClock;
  readonly health: () => CurrentProgramHealth;
  /** Required time of uninterrupted health. */
  readonly settleMs: number;
  readonly deadlineMs: number;
  readonly log: Log;
  readonly onConfirmed: () => void;
  /** The caller must restart, which starts the earlier version. */
  readonly onRolledBack: (reason: string) => void;
}

const CHECK_MS = 500;

/** A new version checks its own health, and is confirmed or rolled back. */
export class ReleaseTrialMonitor {
  readonly #deps: ReleaseTrialMonitorDependencies;
  readonly #startedAt: number;
  #healthySince: number | null = null;
  #cancel: () => void = () => undefined;

  constructor(deps: ReleaseTrialMonitorDependencies) {
    this.#deps = deps;
    this.#startedAt = deps.clock.now();
  }

  /** Does nothing for a version that is not on trial. */
  start(): void {
    const { files, release } = this.#deps;
    if (files.read().candidate?.release === release) this.#check();
  }

  stop(): void {
    this.#cancel();
  }

  #check(): void {
    const { files, clock, health, settleMs, deadlineMs, log } = this.#deps;
    this.#cancel = clock.after(
      CHECK_MS,
      guardTimerWork(() => this.#check(), createTimerErrorLogger(log)),
    );
    const now = clock.now();
    const regressions = listHealthRegressions(health(), files.read().candidate?.before ?? null);
    if (regressions.length > 0) this.#healthySince = null;
    else this.#healthySince ??= now;
    if (this.#healthySince !== null && now - this.#healthySince >= settleMs) return this.#confirm();
    if (now - this.#startedAt >= deadlineMs)
      this.#rollBack(regressions.join('; ') || 'late: not healthy for long enough');
  }

  #confirm(): void {
    const { files, log, onConfirmed } = this.#deps;
    try {
      files.write(confirmCandidateInSlots(files.read()));
      files.endTrial();
    } catch (error) {
      // Retried until it is on the disk. The trial guard ends a trial that cannot be written.
      log('error', 'The new version cannot be confirmed', { why: (error as Error).message });
      return;
    }
    this.#cancel();
    log('info', 'The new version is confirmed', { release: this.#deps.release });
    onConfirmed();
  }

  #rollBack(reason: string): void {
    const { files, log, onRolledBack } = this.#deps;
    this.#cancel();
    log('error', 'Rolling back the new version', { release: this.#deps.release, reason });
    try {
      files.write(rollBackCandidateInSlots(files.read(), reason));
      files.endTrial();
    } catch (error) {
      log('error', 'The rollback cannot be written to the disk', { why: (error as Error).message });
    }
    onRolledBack(reason);
  }
}
