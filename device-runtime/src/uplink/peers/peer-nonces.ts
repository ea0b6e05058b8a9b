import type { DeviceId } from '@lintel/access-core/ids';
import type { Monotonic } from '@lintel/access-core/monotonic';

/**
 * How long a request may quote one. Whoever holds a request back for longer than a person waits at a door must not
 * open it then.
 */
export const PEER_NONCE_MS = 10_000;
const MOST_EACH = 16;

interface Given {
  readonly nonce: string;
  readonly at: Monotonic;
}

/** What other controllers may quote in their next request, each once. */
export class PeerNonces {
  readonly #given = new Map<DeviceId, readonly Given[]>();

  give(peer: DeviceId, nonce: string, now: Monotonic): void {
    const living = (this.#given.get(peer) ?? []).filter(({ at }) => now - at <= PEER_NONCE_MS);
    this.#given.set(peer, [...living, { nonce, at: now }].slice(-MOST_EACH));
  }

  /** False when it was not given to this peer, or was used before, or is too old. */
  use(peer: DeviceId, nonce: string, now: Monotonic): boolean {
    const given = this.#given.get(peer) ?? [];
    const found = given.find(one => one.nonce === nonce);
    if (found === undefined) return false;
    this.#given.set(
      peer,
      given.filter(one => one !== found),
    );
    return now - found.at <= PEER_NONCE_MS;
  }
}
