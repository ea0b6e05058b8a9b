import { Backoff } from '@lintel/service/timing/backoff';
import type { Log } from '@lintel/service/log';
import { processTimers, type Timers } from '@lintel/service/timing/timers';
import { renew } from './claim-client.ts';
import type { DeviceKeys } from './device-keys.ts';
import type { Membership, MembershipFile } from './membership.ts';

export interface RenewalOptions {
  readonly membership: MembershipFile;
  readonly keys: () => DeviceKeys;
  /** Kept time. */
  readonly now: () => number;
  readonly random: () => number;
  readonly log: Log;
  /** The new certificate is on the disk: the connection is opened anew with it. */
  readonly onRenewed: (membership: Membership) => void;
  readonly timers?: Timers;
  readonly renew?: typeof renew;
  /** Ways to the bridge where there is no direct one. */
  readonly proxies?: () => readonly string[];
}

/** Kept time may step by months: looked at often instead of being counted out. */
const LOOK_MS = 60 * 60_000;
const RETRY = { firstMs: 60_000, longestMs: 6 * 60 * 60_000 };
const noWork = (): void => undefined;

/** Sees to it that the device has its next certificate long before the one it has expires. */
export class CertificateRenewal {
  readonly #options: RenewalOptions;
  readonly #timers: Timers;
  readonly #backoff: Backoff;
  #cancelWait = noWork;
  #isRunning = false;
  #stopping = new AbortController();

  constructor(options: RenewalOptions) {
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

  /** Now instead of at the next look: the clock has been set, or there is a line again. */
  lookNow(): void {
    if (this.#isRunning) this.#wait(0);
  }

  #wait(ms: number): void {
    this.#cancelWait();
    this.#cancelWait = this.#timers.after(ms, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { membership, keys, now, log, onRenewed, proxies } = this.#options;
    const held = membership.read();
    const before = held.ok ? held.value : null;
    if (before === null || now() < before.renew_after) return this.#wait(LOOK_MS);
    try {
      const after = await (this.#options.renew ?? renew)(before, keys(), null, {
        now: now(),
        signal: this.#stopping.signal,
        ...(proxies === undefined ? {} : { proxies: proxies() }),
      });
      if (!this.#isRunning) return;
      membership.write(after);
      this.#backoff.reset();
      log('info', 'the certificate is renewed', { serial: after.serial });
      onRenewed(after);
      this.#wait(LOOK_MS);
    } catch (error) {
      if (!this.#isRunning) return;
      log('warn', 'the certificate is not renewed yet', {
        why: (error as Error).message,
        expires_at: new Date(before.expires_at).toISOString(),
      });
      this.#wait(this.#backoff.next());
    }
  }
}
