import { OutageLog } from '@lintel/service/connections/outage-log';
import type { Log } from '@lintel/service/log-function-type';
import { isStorageFullError } from './database-error.ts';

const PROBE_MS = 5000;
const SETTLE_MS = 1000;

/** Knows whether the database is reachable and has space. Logs each outage once. */
export class StorageMonitor {
  readonly connection: OutageLog;
  readonly #space: OutageLog;
  #fullErrors = 0;
  #onStatement: (seconds: number) => void = () => undefined;
  #probe: (() => Promise<unknown>) | null = null;
  #probeTimer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.connection = new OutageLog('Database', log, SETTLE_MS);
    this.#space = new OutageLog('Disk space of the database', log);
  }

  /** True from the first write that failed for lack of space until a probe succeeds. */
  get isFull(): boolean {
    return this.#space.isOut;
  }

  /** Statements that failed for lack of space. */
  get fullErrors(): number {
    return this.#fullErrors;
  }

  /** Calls the listener with the time of each statement. */
  onStatement(listener: (seconds: number) => void): void {
    this.#onStatement = listener;
  }

  /** Call with the time of every statement. */
  onDuration(seconds: number): void {
    this.#onStatement(seconds);
  }

  /** Call with every failed statement. */
  onError(error: unknown): void {
    if (!isStorageFullError(error)) return;
    this.#fullErrors += 1;
    if (this.#space.failed(error)) this.#scheduleProbe();
  }

  /** `probe` writes about as much as a request does. It runs only while the disk is full. */
  start(probe: () => Promise<unknown>): void {
    this.#probe = probe;
  }

  stop(): void {
    this.#probe = null;
    clearTimeout(this.#probeTimer);
  }

  /** Throws while the disk is full. */
  async checkSpace(): Promise<void> {
    if (!this.isFull || this.#probe === null) return;
    await this.#probe();
    this.#space.recovered();
  }

  #scheduleProbe(): void {
    this.#probeTimer = setTimeout(() => {
      this.checkSpace().catch(() => {
        if (this.#probe !== null) this.#scheduleProbe();
      });
    }, PROBE_MS).unref();
  }
}
