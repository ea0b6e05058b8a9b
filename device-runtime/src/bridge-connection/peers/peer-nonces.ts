import type { DeviceId } from '@lintel/access-core/ids';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';

/**
 * How long a nonce is valid. A request that was held back for longer must not open a door.
 */
export const PEER_NONCE_LIFETIME_MS = 10_000;
const MOST_EACH = 16;

interface IssuedNonce {
  readonly nonce: string;
  readonly at: MonotonicTime;
}

/** Nonces for requests of other controllers, each valid once. */
export class IssuedPeerNonces {
  readonly #issued = new Map<DeviceId, readonly IssuedNonce[]>();

  issue(peer: DeviceId, nonce: string, now: MonotonicTime): void {
    const valid = (this.#issued.get(peer) ?? []).filter(({ at }) => now - at <= PEER_NONCE_LIFETIME_MS);
    this.#issued.set(peer, [...valid, { nonce, at: now }].slice(-MOST_EACH));
  }

  /** False when it was not issued to this peer, was used, or has expired. */
  use(peer: DeviceId, nonce: string, now: MonotonicTime): boolean {
    const issued = this.#issued.get(peer) ?? [];
    const found = issued.find(candidate => candidate.nonce === nonce);
    if (found === undefined) return false;
    this.#issued.set(
      peer,
      issued.filter(candidate => candidate !== found),
    );
    return now - found.at <= PEER_NONCE_LIFETIME_MS;
  }
}
