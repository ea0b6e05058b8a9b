import { type AccessMethod, accessMethods } from '@lintel/access-core/access-data-types';
import type { DeviceId } from '@lintel/access-core/ids';
import type { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { PeerResponseMqttMessage } from '@lintel/wire-protocol/mqtt/messages/peer-response';
import type { PeerNonceRequestMqttMessage } from '@lintel/wire-protocol/mqtt/messages/peer-nonce-request';
import type { PeerRequestMqttMessage } from '@lintel/wire-protocol/mqtt/messages/peer-request';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { toBase64url } from '@lintel/wire-protocol/encoding/base64url';
import type { PeerReader } from '../../actions/action-executor.ts';
import type { Controller } from '../../controller/controller.ts';
import { IssuedPeerNonces } from './peer-nonces.ts';

type PeerResult = Pick<PeerResponseMqttMessage, 'outcome' | 'reason' | 'event_id'>;

const MOST_REMEMBERED = 1_000;
/** Longer chains of triggers are rejected. */
const DEEPEST_TRIGGER_CHAIN = 8;

const rejectRequest = (outcome: PeerResult['outcome'], reason: string): PeerResult => ({
  outcome,
  reason,
  event_id: null,
});

/** Credentials presented at a reader cannot have the method `online`. */
const isPresentedAtReader = (method: string | null | undefined): method is AccessMethod =>
  method !== 'online' && (accessMethods as readonly (string | null | undefined)[]).includes(method);

export interface PeerRequestHandlerDependencies {
  readonly controller: Controller;
  readonly publisher: UplinkPublisher;
  readonly clock: MonotonicClock;
  readonly newNonce: () => string;
}

/** Handles requests of other controllers for gadgets of this one. */
export class PeerRequestHandler {
  readonly #parts: PeerRequestHandlerDependencies;
  readonly #nonces = new IssuedPeerNonces();
  readonly #results = new Map<string, PeerResult>();

  constructor(parts: PeerRequestHandlerDependencies) {
    this.#parts = parts;
  }

  onHello(from: DeviceId, { request_id }: PeerNonceRequestMqttMessage): void {
    void this.#parts.publisher.publishTo(from, 'peer-nonce', { v: 1, request_id, nonce: this.#issueNonce(from) });
  }

  #issueNonce(peer: DeviceId): string {
    const { newNonce, clock } = this.#parts;
    const nonce = newNonce();
    this.#nonces.issue(peer, nonce, clock.now());
    return nonce;
  }

  /** `frame`: the request as it arrived, which proves to the bridge who read the credential. */
  onRequest(from: DeviceId, request: PeerRequestMqttMessage, frame: Uint8Array): void {
    const { request_id } = request;
    const reader = { reader_device_id: from, peer_request: toBase64url(frame) };
    const answer = this.#results.get(`${from} ${request_id}`) ?? this.#handle(reader, request);
    const next_nonce = this.#issueNonce(from);
    void this.#parts.publisher.publishTo(from, 'peer-answer', { v: 1, request_id, ...answer, next_nonce });
  }

  #handle(reader: PeerReader, request: PeerRequestMqttMessage): PeerResult {
    const from = reader.reader_device_id;
    if (!this.#nonces.use(from, request.nonce, this.#parts.clock.now()))
      return rejectRequest('wrong_nonce', 'The nonce is unknown or was already used');
    const answer = this.#execute(reader, request);
    this.#remember(`${from} ${request.request_id}`, answer);
    return answer;
  }

  #execute(reader: PeerReader, { gadget_id, action_id, subject, trigger }: PeerRequestMqttMessage): PeerResult {
    const { controller } = this.#parts;
    const target = { gadget_id, action_id };
    if (!controller.snapshot.hasAction(gadget_id, action_id))
      return rejectRequest('not_found', 'Unknown gadget or action');
    if (trigger !== null) return this.#trigger(reader, target, trigger);
    if (subject?.member_id == null || !isPresentedAtReader(subject.access_method))
      return rejectRequest('denied', 'unknown_credential');
    const { member_id: id, access_method } = subject;
    const result = controller.executeForPeer(reader, target, { id, access_method, subject });
    if (result.outcome === 'denied') return result;
    return {
      outcome: result.outcome,
      reason: result.outcome === 'done' ? null : result.reason,
      event_id: result.event?.id ?? null,
    };
  }

  /** Accepts only triggers of the local snapshot, from the controller with their source. */
  #trigger(
    reader: PeerReader,
    target: Pick<PeerRequestMqttMessage, 'gadget_id' | 'action_id'>,
    { gadget_trigger_id, depth }: NonNullable<PeerRequestMqttMessage['trigger']>,
  ): PeerResult {
    const { controller } = this.#parts;
    if (
      depth > DEEPEST_TRIGGER_CHAIN ||
      !controller.snapshot.isTriggerOf(reader.reader_device_id, gadget_trigger_id, target)
    )
      return rejectRequest('denied', 'no_matching_rule');
    const result = controller.executeForTrigger(reader, target, { id: gadget_trigger_id, depth });
    return {
      outcome: result.outcome,
      reason: result.outcome === 'done' ? null : result.reason,
      event_id: result.event?.id ?? null,
    };
  }

  #remember(key: string, answer: PeerResult): void {
    this.#results.set(key, answer);
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= MOST_REMEMBERED) return;
      this.#results.delete(oldest);
    }
  }
}
