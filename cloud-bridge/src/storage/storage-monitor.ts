import { OutageLog } from '@lintel/service/connections/outage-log';
import type { Log } from '@lintel/service/log-function-type';
import { isStorageFailingError, isStorageFullError } from './database-error.ts';

const PROBE_MS = 5000;
const SETTLE_MS = 1000;

/** Knows whether the database is reachable, has space and can use its files. Logs each outage once. */
export class StorageMonitor {
  readonly connection: OutageLog;
  readonly #space: OutageLog;
  readonly #files: OutageLog;
  #fullErrors = 0;
  #onStatement: (seconds: number) => void = () => undefined;
  #onRecovered: () => void = () => undefined;
  #probe: (() => Promise<unknown>) | null = null;
  #probeTimer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.connection = new OutageLog('Database', log, SETTLE_MS);
    this.#space = new OutageLog('Disk space of the database', log);
    this.#files = new OutageLog('Disk of the database', log);
  }

  /** True from the first write that failed for lack of space until a probe succeeds. */
  get isFull(): boolean {
    return this.#space.isOut;
  }

  /** True from the first error of the disk or of damaged files until a probe succeeds. */
  get isFailing(): boolean {
    return this.#files.isOut;
  }

  /** Statements that failed for lack of space. */
  get fullErrors(): number {
    return this.#fullErrors;
  }

  /** Calls the listener with the time of each statement. */
  onStatement(listener: (seconds: number) => void): void {
    this.#onStatement = listener;
  }

  /** Calls the listener when the disk is right again. */
  onRecovered(listener: () => void): void {
    this.#onRecovered = listener;
  }

  /** Call with the time of every statement. */
  onDuration(seconds: number): void {
    this.#onStatement(seconds);
  }

  /** Call with every failed statement. */
  onError(error: unknown): void {
    const wasOut = this.isFull || this.isFailing;
    if (isStorageFullError(error)) {
      this.#fullErrors += 1;
      this.#space.failed(error);
    } else if (isStorageFailingError(error)) this.#files.failed(error);
    if (!wasOut && (this.isFull || this.isFailing)) this.#scheduleProbe();
  }

  /** `probe` writes about as much as a request does. It runs only while the disk is full or fails. */
  start(probe: () => Promise<unknown>): void {
    this.#probe = probe;
  }

  /** Writes once, so that a disk that is full or read-only is known before the first request. */
  async probe(): Promise<void> {
    await this.#probe?.().catch(() => undefined);
  }

  stop(): void {
    this.#probe = null;
    clearTimeout(this.#probeTimer);
  }

  /** Throws while the disk is full or fails. */
  async checkDisk(): Promise<void> {
    if (!(this.isFull || this.isFailing) || this.#probe === null) return;
    await this.#probe();
    this.#space.recovered();
    this.#files.recovered();
    this.#onRecovered();
  }

  #scheduleProbe(): void {
    this.#probeTimer = setTimeout(() => {
      this.checkDisk().catch(() => {
        if (this.#probe !== null) this.#scheduleProbe();
      });
    }, PROBE_MS).unref();
  }
}
