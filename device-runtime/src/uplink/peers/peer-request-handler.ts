import { type AccessMethod, accessMethods } from '@lintel/access-core/access-model';
import type { DeviceId } from '@lintel/access-core/ids';
import type { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { PeerAnswer } from '@lintel/wire-protocol/mqtt/messages/peer-answer';
import type { PeerHello } from '@lintel/wire-protocol/mqtt/messages/peer-hello';
import type { PeerRequest } from '@lintel/wire-protocol/mqtt/messages/peer-request';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { Controller } from '../../controller/controller.ts';
import { PeerNonces } from './peer-nonces.ts';

type Answer = Pick<PeerAnswer, 'outcome' | 'reason' | 'event_id'>;

const MOST_REMEMBERED = 1_000;
/** A chain of triggers is not followed any deeper. */
const DEEPEST = 8;

const refusal = (outcome: Answer['outcome'], reason: string): Answer => ({ outcome, reason, event_id: null });

/** Credentials are read where a person stands; nobody is online at a reader. */
const isShown = (method: string | null | undefined): method is AccessMethod =>
  method !== 'online' && (accessMethods as readonly (string | null | undefined)[]).includes(method);

export interface PeerRequestHandlerParts {
  readonly controller: Controller;
  readonly publisher: UplinkPublisher;
  readonly clock: MonotonicClock;
  readonly newNonce: () => string;
}

/** Other controllers have read a credential, or a trigger, for a gadget of ours. */
export class PeerRequestHandler {
  readonly #parts: PeerRequestHandlerParts;
  readonly #nonces = new PeerNonces();
  readonly #answers = new Map<string, Answer>();

  constructor(parts: PeerRequestHandlerParts) {
    this.#parts = parts;
  }

  greeted(from: DeviceId, { request_id }: PeerHello): void {
    void this.#parts.publisher.publishTo(from, 'peer-nonce', { v: 1, request_id, nonce: this.#giveNonce(from) });
  }

  #giveNonce(peer: DeviceId): string {
    const { newNonce, clock } = this.#parts;
    const nonce = newNonce();
    this.#nonces.give(peer, nonce, clock.now());
    return nonce;
  }

  asked(from: DeviceId, request: PeerRequest): void {
    const { request_id } = request;
    const answer = this.#answers.get(`${from} ${request_id}`) ?? this.#answer(from, request);
    const next_nonce = this.#giveNonce(from);
    void this.#parts.publisher.publishTo(from, 'peer-answer', { v: 1, request_id, ...answer, next_nonce });
  }

  #answer(from: DeviceId, request: PeerRequest): Answer {
    if (!this.#nonces.use(from, request.nonce, this.#parts.clock.now()))
      return refusal('wrong_nonce', 'the nonce was not given, or has been used');
    const answer = this.#perform(from, request);
    this.#remember(`${from} ${request.request_id}`, answer);
    return answer;
  }

  #perform(from: DeviceId, { gadget_id, action_id, subject, trigger }: PeerRequest): Answer {
    const { controller } = this.#parts;
    const target = { gadget_id, action_id };
    if (!controller.snapshot.hasAction(gadget_id, action_id))
      return refusal('not_found', 'there is no such action here');
    if (trigger !== null) return this.#trigger(from, target, trigger);
    if (subject?.member_id == null || !isShown(subject.access_method)) return refusal('denied', 'unknown_credential');
    const { member_id: id, access_method } = subject;
    const done = controller.executeForPeer(from, target, { id, access_method, subject });
    if (done.outcome === 'denied') return done;
    return {
      outcome: done.outcome,
      reason: done.outcome === 'done' ? null : done.reason,
      event_id: done.event?.id ?? null,
    };
  }

  /** Only a trigger that our own slice knows, from the controller that has its source. */
  #trigger(
    from: DeviceId,
    target: Pick<PeerRequest, 'gadget_id' | 'action_id'>,
    { gadget_trigger_id, depth }: NonNullable<PeerRequest['trigger']>,
  ): Answer {
    const { controller } = this.#parts;
    if (depth > DEEPEST || !controller.snapshot.isTriggerOf(from, gadget_trigger_id, target))
      return refusal('denied', 'no_matching_rule');
    const done = controller.executeForTrigger(from, target, { id: gadget_trigger_id, depth });
    return {
      outcome: done.outcome,
      reason: done.outcome === 'done' ? null : done.reason,
      event_id: done.event?.id ?? null,
    };
  }

  #remember(key: string, answer: Answer): void {
    this.#answers.set(key, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST_REMEMBERED) return;
      this.#answers.delete(oldest);
    }
  }
}
