import type { Log } from '@lintel/service/log';
import { type HealthNow, objectionsTo } from './health.ts';
import { confirmed, rolledBack } from './slot-machine.ts';
import type { SlotFiles } from './slot-files.ts';
import type { UpdateClock } from './update-clock.ts';

export interface TrialParts {
  readonly files: SlotFiles;
  /** The release that runs. */
  readonly release: string;
  readonly clock: UpdateClock;
  readonly health: () => HealthNow;
  /** It must be well for so long without a break. */
  readonly settleMs: number;
  readonly deadlineMs: number;
  readonly log: Log;
  readonly onConfirmed: () => void;
  /** The earlier version is to be started. */
  readonly onRolledBack: (reason: string) => void;
}

const LOOK_MS = 500;

/** A version that runs for the first time looks at itself, and stays or makes way. */
export class Trial {
  readonly #parts: TrialParts;
  readonly #begun: number;
  #wellSince: number | null = null;
  #cancel: () => void = () => undefined;

  constructor(parts: TrialParts) {
    this.#parts = parts;
    this.#begun = parts.clock.now();
  }

  /** Does nothing for a version that is not on trial. */
  start(): void {
    const { files, release } = this.#parts;
    if (files.read().candidate?.release === release) this.#look();
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    const { files, clock, health, settleMs, deadlineMs } = this.#parts;
    const now = clock.now();
    const objections = objectionsTo(health(), files.read().candidate?.before ?? null);
    if (objections.length > 0) this.#wellSince = null;
    else this.#wellSince ??= now;
    if (this.#wellSince !== null && now - this.#wellSince >= settleMs) return this.#confirm();
    if (now - this.#begun >= deadlineMs) return this.#giveUp(objections.join('; ') || 'late: it was not well for long');
    this.#cancel = clock.after(LOOK_MS, () => this.#look());
  }

  #confirm(): void {
    const { files, log, clock, onConfirmed } = this.#parts;
    try {
      files.write(confirmed(files.read()));
      files.endTrial();
    } catch (error) {
      // Until it is written down it is not so: tried again, and given up by the guard if it never can be.
      log('error', 'the new version cannot be confirmed', { why: (error as Error).message });
      this.#cancel = clock.after(LOOK_MS, () => this.#look());
      return;
    }
    log('info', 'the new version is confirmed', { release: this.#parts.release });
    onConfirmed();
  }

  #giveUp(reason: string): void {
    const { files, log, onRolledBack } = this.#parts;
    log('error', 'the new version is given up', { release: this.#parts.release, reason });
    try {
      files.write(rolledBack(files.read(), reason));
      files.endTrial();
    } catch (error) {
      log('error', 'that it is given up cannot be written', { why: (error as Error).message });
    }
    onRolledBack(reason);
  }
}
