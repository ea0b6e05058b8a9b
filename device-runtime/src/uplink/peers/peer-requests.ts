import type { DeviceId } from '@lintel/access-core/ids';
import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { PeerAnswer } from '@lintel/wire-protocol/mqtt/messages/peer-answer';
import type { PeerNonce } from '@lintel/wire-protocol/mqtt/messages/peer-nonce';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { PeerGadgets, PeerOrder, PeerOutcome } from '../../gadgets/peer-gadgets.ts';
import type { Controller } from '../../controller/controller.ts';
import { PEER_NONCE_MS } from './peer-nonces.ts';

/** A person stands at the door. */
const DEADLINE_MS = 2_000;
/** Short of what the owner keeps it for, because of the way there. */
const NONCE_OF_USE_MS = PEER_NONCE_MS - DEADLINE_MS;

const unreachable: PeerOutcome = { outcome: 'unreachable' };

interface Waiting {
  readonly owner: DeviceId;
  readonly heard: (word: PeerNonce | PeerAnswer | null) => void;
}

export interface PeerRequestsParts {
  readonly controller: () => Controller;
  readonly publisher: UplinkPublisher;
  readonly clock: MonotonicClock;
  readonly newRequestId: () => string;
}

const outcomeOf = ({ outcome, reason }: PeerAnswer): PeerOutcome => {
  if (outcome === 'done') return { outcome: 'done' };
  if (outcome === 'denied') return { outcome: 'denied', reason: reason ?? 'no_matching_rule' };
  // Without an event of the owner's the event is ours to write.
  if (outcome === 'interlocked' || outcome === 'failed') return { outcome: 'failed', reason: reason ?? outcome };
  return unreachable;
};

/** Asks the controllers that own the gadgets of our rules and triggers. */
export class PeerRequests implements PeerGadgets {
  readonly #parts: PeerRequestsParts;
  readonly #waiting = new Map<string, Waiting>();
  readonly #nonces = new Map<DeviceId, { readonly nonce: string; readonly at: Monotonic }>();

  constructor(parts: PeerRequestsParts) {
    this.#parts = parts;
  }

  async execute(order: PeerOrder): Promise<PeerOutcome> {
    const { snapshot } = this.#parts.controller();
    const owner = snapshot.gadget(order.gadget_id)?.device_id;
    if (owner === undefined || snapshot.peer(owner) === undefined) return unreachable;
    const deadline = after(this.#parts.clock.now(), DEADLINE_MS);
    const kept = this.#keptNonce(owner);
    const first = kept === null ? null : await this.#request(owner, order, kept, deadline);
    // The owner has started anew since it gave us that one.
    if (first !== null && first.outcome !== 'wrong_nonce') return outcomeOf(first);
    if (kept !== null && first === null) return unreachable;
    const nonce = await this.#askNonce(owner, deadline);
    const answer = nonce === null ? null : await this.#request(owner, order, nonce, deadline);
    return answer === null ? unreachable : outcomeOf(answer);
  }

  #keptNonce(owner: DeviceId): string | null {
    const kept = this.#nonces.get(owner);
    this.#nonces.delete(owner);
    if (kept === undefined || this.#parts.clock.now() - kept.at > NONCE_OF_USE_MS) return null;
    return kept.nonce;
  }

  async #askNonce(owner: DeviceId, deadline: Monotonic): Promise<string | null> {
    const { publisher, newRequestId } = this.#parts;
    const request_id = newRequestId();
    const word = this.#wordOf(owner, request_id, deadline);
    void publisher
      .publishTo(owner, 'peer-hello', { v: 1, request_id })
      .then(isSent => isSent || this.#waiting.get(request_id)?.heard(null));
    const heard = await word;
    return heard !== null && 'nonce' in heard ? heard.nonce : null;
  }

  async #request(owner: DeviceId, order: PeerOrder, nonce: string, deadline: Monotonic): Promise<PeerAnswer | null> {
    const { publisher, clock, newRequestId } = this.#parts;
    const deadline_ms = Math.ceil(deadline - clock.now());
    if (deadline_ms < 1) return null;
    const request_id = newRequestId();
    const word = this.#wordOf(owner, request_id, deadline);
    const request = { v: 1, request_id, nonce, deadline_ms, ...order } as const;
    void publisher
      .publishTo(owner, 'peer-request', request)
      .then(isSent => isSent || this.#waiting.get(request_id)?.heard(null));
    const heard = await word;
    return heard !== null && 'outcome' in heard ? heard : null;
  }

  #wordOf(owner: DeviceId, requestId: string, deadline: Monotonic): Promise<PeerNonce | PeerAnswer | null> {
    return new Promise(resolve => {
      const cancel = this.#parts.clock.wake(deadline, () => heard(null));
      const heard = (word: PeerNonce | PeerAnswer | null): void => {
        cancel();
        this.#waiting.delete(requestId);
        resolve(word);
      };
      this.#waiting.set(requestId, { owner, heard });
    });
  }

  nonceCame(from: DeviceId, word: PeerNonce): void {
    const waiting = this.#waiting.get(word.request_id);
    if (waiting?.owner === from) waiting.heard(word);
  }

  answerCame(from: DeviceId, answer: PeerAnswer): void {
    const waiting = this.#waiting.get(answer.request_id);
    if (waiting?.owner !== from) return;
    this.#nonces.set(from, { nonce: answer.next_nonce, at: this.#parts.clock.now() });
    waiting.heard(answer);
  }
}
