import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '@lintel/service/log-function-type';
import { PeriodicTask } from '../tasks/periodic-task.ts';

export interface BackupSchedulerOptions {
  readonly folder: string;
  readonly intervalMs: number;
  /** Number of backups that are kept. */
  readonly keep: number;
  readonly createBackup: (file: string, signal: AbortSignal) => Promise<void>;
  readonly clock: () => number;
  readonly log: Log;
}

export interface BackupStatus {
  /** Null before the first backup. */
  readonly lastSuccessAt: number | null;
  readonly lastSizeBytes: number;
  readonly failures: number;
}

const CHECK_MS = 60_000;
const RETRY_MS = 900_000;

const NAME = /^lintel-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;

const nameAt = (at: number): string =>
  `lintel-${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.backup`;

const timeOf = (name: string): number => {
  const [, year, month, day, hour, minute, second] = NAME.exec(name)!;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
};

/** Writes a backup whenever the newest one in the folder is older than the interval. Deletes the oldest ones. */
export class BackupScheduler {
  readonly #options: BackupSchedulerOptions;
  readonly #task: PeriodicTask;
  readonly #stop = new AbortController();
  #failures = 0;
  #nextAttemptAt = 0;

  constructor(options: BackupSchedulerOptions) {
    this.#options = options;
    this.#task = new PeriodicTask(
      () => this.#runIfDue(),
      CHECK_MS,
      error => this.#onFailure(error as Error),
    );
  }

  /** From the files, so that it survives a restart. */
  get status(): BackupStatus {
    const newest = this.#names().at(-1);
    return {
      lastSuccessAt: newest === undefined ? null : timeOf(newest),
      lastSizeBytes: newest === undefined ? 0 : this.#sizeOf(newest),
      failures: this.#failures,
    };
  }

  start(): void {
    this.#task.start();
  }

  /** Cancels a backup that is being written. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#task.stop();
  }

  #onFailure({ message }: Error): void {
    if (this.#stop.signal.aborted) return;
    const { clock, intervalMs, log } = this.#options;
    this.#failures += 1;
    this.#nextAttemptAt = clock() + Math.min(RETRY_MS, intervalMs);
    log('error', 'Backup failed', { why: message });
  }

  /** The oldest first. */
  #names(): string[] {
    try {
      return readdirSync(this.#options.folder)
        .filter(name => NAME.test(name))
        .toSorted();
    } catch {
      return [];
    }
  }

  #sizeOf(name: string): number {
    return statSync(join(this.#options.folder, name), { throwIfNoEntry: false })?.size ?? 0;
  }

  async #runIfDue(): Promise<void> {
    const { folder, intervalMs, keep, clock, createBackup, log } = this.#options;
    const now = clock();
    if (now < this.#nextAttemptAt || now - (this.status.lastSuccessAt ?? -Infinity) < intervalMs) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = nameAt(now);
    try {
      await createBackup(join(folder, name), this.#stop.signal);
    } catch (error) {
      rmSync(join(folder, `${name}.new`), { force: true });
      throw error;
    }
    log('info', 'Backup written', { file: name, bytes: this.#sizeOf(name) });
    for (const old of this.#names().slice(0, -keep)) rmSync(join(folder, old), { force: true });
  }
}
