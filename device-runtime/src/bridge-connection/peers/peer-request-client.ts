import type { DeviceId } from '@lintel/access-core/ids';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { PeerResponseMqttMessage } from '@lintel/wire-protocol/mqtt/messages/peer-response';
import type { PeerNonceMqttMessage } from '@lintel/wire-protocol/mqtt/messages/peer-nonce';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type {
  PeerActionExecutor,
  PeerActionRequest,
  PeerActionResult,
} from '../../gadgets/peer-action-executor-interface.ts';
import type { Controller } from '../../controller/controller.ts';
import { PEER_NONCE_LIFETIME_MS } from './peer-nonces.ts';

/** Short, because a person waits at the door. */
const DEADLINE_MS = 2_000;
/** Shorter than the validity at the owner, because of the travel time. */
const NONCE_VALID_MS = PEER_NONCE_LIFETIME_MS - DEADLINE_MS;

const unreachable: PeerActionResult = { outcome: 'unreachable' };

interface PendingResponse {
  readonly owner: DeviceId;
  readonly settle: (word: PeerNonceMqttMessage | PeerResponseMqttMessage | null) => void;
}

export interface PeerRequestClientDependencies {
  readonly controller: () => Controller;
  readonly publisher: UplinkPublisher;
  readonly clock: MonotonicClock;
  readonly newRequestId: () => string;
}

const outcomeOf = ({ outcome, reason }: PeerResponseMqttMessage): PeerActionResult => {
  if (outcome === 'done') return { outcome: 'done' };
  if (outcome === 'denied') return { outcome: 'denied', reason: reason ?? 'no_matching_rule' };
  // Otherwise the owner recorded no event, so the caller does.
  if (outcome === 'interlocked' || outcome === 'failed') return { outcome: 'failed', reason: reason ?? outcome };
  return unreachable;
};

/** Requests actions from the controllers that own the gadgets. */
export class PeerRequestClient implements PeerActionExecutor {
  readonly #parts: PeerRequestClientDependencies;
  readonly #waiting = new Map<string, PendingResponse>();
  readonly #nonces = new Map<DeviceId, { readonly nonce: string; readonly at: MonotonicTime }>();

  constructor(parts: PeerRequestClientDependencies) {
    this.#parts = parts;
  }

  async execute(order: PeerActionRequest): Promise<PeerActionResult> {
    const { snapshot } = this.#parts.controller();
    const owner = snapshot.gadget(order.gadget_id)?.device_id;
    if (owner === undefined || snapshot.peer(owner) === undefined) return unreachable;
    const deadline = addMilliseconds(this.#parts.clock.now(), DEADLINE_MS);
    const saved = this.#takeNonce(owner);
    const first = saved === null ? null : await this.#request(owner, order, saved, deadline);
    // The owner may have restarted since it issued the nonce.
    if (first !== null && first.outcome !== 'wrong_nonce') return outcomeOf(first);
    if (saved !== null && first === null) return unreachable;
    const nonce = await this.#requestNonce(owner, deadline);
    const answer = nonce === null ? null : await this.#request(owner, order, nonce, deadline);
    return answer === null ? unreachable : outcomeOf(answer);
  }

  #takeNonce(owner: DeviceId): string | null {
    const saved = this.#nonces.get(owner);
    this.#nonces.delete(owner);
    if (saved === undefined || this.#parts.clock.now() - saved.at > NONCE_VALID_MS) return null;
    return saved.nonce;
  }

  async #requestNonce(owner: DeviceId, deadline: MonotonicTime): Promise<string | null> {
    const { publisher, newRequestId } = this.#parts;
    const request_id = newRequestId();
    const word = this.#responseTo(owner, request_id, deadline);
    void publisher
      .publishTo(owner, 'peer-hello', { v: 1, request_id })
      .then(isSent => isSent || this.#waiting.get(request_id)?.settle(null));
    const heard = await word;
    return heard !== null && 'nonce' in heard ? heard.nonce : null;
  }

  async #request(
    owner: DeviceId,
    order: PeerActionRequest,
    nonce: string,
    deadline: MonotonicTime,
  ): Promise<PeerResponseMqttMessage | null> {
    const { publisher, clock, newRequestId } = this.#parts;
    const deadline_ms = Math.ceil(deadline - clock.now());
    if (deadline_ms < 1) return null;
    const request_id = newRequestId();
    const word = this.#responseTo(owner, request_id, deadline);
    const request = { v: 1, request_id, nonce, deadline_ms, ...order } as const;
    void publisher
      .publishTo(owner, 'peer-request', request)
      .then(isSent => isSent || this.#waiting.get(request_id)?.settle(null));
    const heard = await word;
    return heard !== null && 'outcome' in heard ? heard : null;
  }

  #responseTo(
    owner: DeviceId,
    requestId: string,
    deadline: MonotonicTime,
  ): Promise<PeerNonceMqttMessage | PeerResponseMqttMessage | null> {
    return new Promise(resolve => {
      const cancel = this.#parts.clock.wake(deadline, () => settle(null));
      const settle = (word: PeerNonceMqttMessage | PeerResponseMqttMessage | null): void => {
        cancel();
        this.#waiting.delete(requestId);
        resolve(word);
      };
      this.#waiting.set(requestId, { owner, settle });
    });
  }

  onNonce(from: DeviceId, word: PeerNonceMqttMessage): void {
    const waiting = this.#waiting.get(word.request_id);
    if (waiting?.owner === from) waiting.settle(word);
  }

  onResponse(from: DeviceId, answer: PeerResponseMqttMessage): void {
    const waiting = this.#waiting.get(answer.request_id);
    if (waiting?.owner !== from) return;
    this.#nonces.set(from, { nonce: answer.next_nonce, at: this.#parts.clock.now() });
    waiting.settle(answer);
  }
}
