import { Backoff } from '@lintel/device-link/backoff';
import { renew } from '@lintel/device-link/identity/claim-client';
import type { ToldDigestKey } from '@lintel/device-link/identity/digest-key';
import { processTimers } from '@lintel/device-link/timers';
import * as z from 'zod';
import type { Log } from '../../ports/log.ts';
import type { StateStore } from '../../ports/state-store.ts';
import type { ClaimedIdentity } from './claimed-identity.ts';

const told = z.object({ device_id: z.string(), id: z.string() });
const RETRY = { firstMs: 60_000, longestMs: 6 * 3_600_000 };

export interface DigestKeyNewsParts {
  readonly identity: ClaimedIdentity;
  readonly state: StateStore;
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

  constructor(parts: DigestKeyNewsParts) {
    this.#parts = parts;
  }

  /** With each connection. Claiming tells the key: who has never told another has told this one. */
  look(): void {
    const { identity, state, key } = this.#parts;
    const device_id = identity.current?.membership.device_id;
    if (device_id === undefined || this.#isTelling) return;
    const known = told.safeParse(state.read('told_digest_key')).data;
    if (known?.device_id !== device_id) state.write('told_digest_key', { device_id, id: key.id });
    else if (known.id !== key.id) void this.#tell();
  }

  async #tell(): Promise<void> {
    const { identity, state, key, now, proxies, log, onTold } = this.#parts;
    const { current } = identity;
    if (current === null) return;
    this.#isTelling = true;
    this.#cancelWait();
    try {
      const membership = await renew(current.membership, current.keys, key, { now: now(), proxies: proxies() });
      identity.file.write(membership);
      state.write('told_digest_key', { device_id: membership.device_id, id: key.id });
      this.#backoff.reset();
      log('info', 'the bridge knows the new key of PINs and cards');
      onTold();
    } catch (error) {
      log('warn', 'the bridge does not know the new key of PINs and cards yet', { why: (error as Error).message });
      this.#cancelWait = processTimers.after(this.#backoff.next(), () => this.look());
    } finally {
      this.#isTelling = false;
    }
  }

  stop(): void {
    this.#cancelWait();
  }
}
