import { Backoff } from '@lintel/service/timing/backoff';
import type { Log } from '@lintel/service/log-function-type';
import { processTimers, type Timers } from '@lintel/service/timing/timers';
import { requestCertificateRenewal } from './certificate-renewal-client.ts';
import type { DeviceKeys } from './device-keys.ts';
import type { DeviceEnrollment, EnrollmentFile } from './device-enrollment.ts';

export interface CertificateRenewalOptions {
  readonly enrollmentFile: EnrollmentFile;
  readonly keys: () => DeviceKeys;
  /** Trusted time. */
  readonly now: () => number;
  readonly random: () => number;
  readonly log: Log;
  /** Called when the new certificate is saved: the device must reconnect. */
  readonly onRenewed: (enrollment: DeviceEnrollment) => void;
  readonly timers?: Timers;
  readonly renew?: typeof requestCertificateRenewal;
  /** Proxies to the bridge without a direct connection. */
  readonly proxies?: () => readonly string[];
}

/** Checked regularly, because the clock may step by months. */
const CHECK_INTERVAL_MS = 60 * 60_000;
const RETRY = { firstMs: 60_000, longestMs: 6 * 60 * 60_000 };
const noWork = (): void => undefined;

/** Renews the device certificate long before it expires. */
export class CertificateRenewal {
  readonly #options: CertificateRenewalOptions;
  readonly #timers: Timers;
  readonly #backoff: Backoff;
  #cancelWait = noWork;
  #isRunning = false;
  #stopping = new AbortController();

  constructor(options: CertificateRenewalOptions) {
    this.#options = options;
    this.#timers = options.timers ?? processTimers;
    this.#backoff = new Backoff(RETRY, options.random);
  }

  start(): void {
    if (!this.#isRunning) this.#stopping = new AbortController();
    this.#isRunning = true;
    this.#wait(0);
  }

  stop(): void {
    this.#isRunning = false;
    this.#stopping.abort();
    this.#cancelWait();
  }

  /** Checks at once after the clock was set or the device is online again. */
  checkNow(): void {
    if (this.#isRunning) this.#wait(0);
  }

  #wait(ms: number): void {
    this.#cancelWait();
    this.#cancelWait = this.#timers.after(ms, () => this.#renewIfDue());
  }

  async #renewIfDue(): Promise<void> {
    const { enrollmentFile, keys, now, log, onRenewed, proxies } = this.#options;
    const held = enrollmentFile.read();
    const before = held.ok ? held.value : null;
    if (before === null || now() < before.renew_after) return this.#wait(CHECK_INTERVAL_MS);
    try {
      const after = await (this.#options.renew ?? requestCertificateRenewal)(before, keys(), null, {
        now: now(),
        signal: this.#stopping.signal,
        ...(proxies === undefined ? {} : { proxies: proxies() }),
      });
      if (!this.#isRunning) return;
      enrollmentFile.write(after);
      this.#backoff.reset();
      log('info', 'Renewed the certificate', { serial: after.serial });
      onRenewed(after);
      this.#wait(CHECK_INTERVAL_MS);
    } catch (error) {
      if (!this.#isRunning) return;
      log('warn', 'Certificate renewal failed. Retrying', {
        why: (error as Error).message,
        expires_at: new Date(before.expires_at).toISOString(),
      });
      this.#wait(this.#backoff.next());
    }
  }
}
