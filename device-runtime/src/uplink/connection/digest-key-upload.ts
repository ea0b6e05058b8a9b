import { Backoff } from '@lintel/service/timing/backoff';
import { renew } from '@lintel/device-link/identity/claim-client';
import type { ToldDigestKey } from '@lintel/device-link/identity/digest-key';
import { processTimers } from '@lintel/service/timing/timers';
import type { Log } from '@lintel/service/log';
import type { ClaimedIdentity } from './claimed-identity.ts';

const RETRY = { firstMs: 60_000, longestMs: 6 * 3_600_000 };

export interface DigestKeyNewsParts {
  readonly identity: ClaimedIdentity;
  readonly key: ToldDigestKey;
  readonly now: () => number;
  readonly proxies: () => readonly string[];
  readonly log: Log;
  /** The bridge knows the key now, and what claiming gave is another: time to say hello again. */
  readonly onTold: () => void;
}

/** A controller whose key of PINs and cards was lost has a new one, which the bridge must know before it can open anything. */
export class DigestKeyNews {
  readonly #parts: DigestKeyNewsParts;
  readonly #backoff = new Backoff(RETRY, Math.random);
  #isTelling = false;
  #cancelWait: () => void = () => undefined;
  readonly #stopping = new AbortController();

  constructor(parts: DigestKeyNewsParts) {
    this.#parts = parts;
  }

  /** With each connection. What the bridge was told is written down beside the certificate. */
  look(): void {
    const { identity, key } = this.#parts;
    const { current } = identity;
    if (current === null || this.#isTelling || current.membership.digest_key_id === key.id) return;
    void this.#tell();
  }

  async #tell(): Promise<void> {
    const { identity, key, now, proxies, log, onTold } = this.#parts;
    const { current } = identity;
    if (current === null) return;
    this.#isTelling = true;
    this.#cancelWait();
    try {
      const { signal } = this.#stopping;
      const terms = { now: now(), proxies: proxies(), signal };
      identity.file.write(await renew(current.membership, current.keys, key, terms));
      this.#backoff.reset();
      log('info', 'the bridge knows the new key of PINs and cards');
      onTold();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      log('warn', 'the bridge does not know the new key of PINs and cards yet', { why: (error as Error).message });
      this.#cancelWait = processTimers.after(this.#backoff.next(), () => this.look());
    } finally {
      this.#isTelling = false;
    }
  }

  stop(): void {
    this.#stopping.abort();
    this.#cancelWait();
  }
}
