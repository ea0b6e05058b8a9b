import {
  type RequestFreshnessResult,
  RequestFreshness,
  type RequestFreshnessDependencies,
} from '@lintel/device-link/session/downlink/request-freshness';
import type { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { ActionMqttMessage } from '@lintel/wire-protocol/mqtt/messages/action';
import type { ActionResultMqttMessage } from '@lintel/wire-protocol/mqtt/messages/action-result';
import type { Controller } from '../controller/controller.ts';

/** Request ids kept per session. */
const MOST_REMEMBERED = 10_000;

type ActionResponse = Omit<ActionResultMqttMessage, 'v' | 'request_id'>;

const rejectAction = (outcome: ActionResponse['outcome'], reason: string): ActionResponse => ({
  outcome,
  reason,
  event_id: null,
});
const tooLate = rejectAction('too_late', 'the deadline has passed');
const wrongNonce = rejectAction('wrong_nonce', 'the request is for another session');

export interface ActionRequestHandlerDependencies extends RequestFreshnessDependencies {
  readonly controller: Controller;
  readonly publisher: UplinkPublisher;
}

/** Executes action requests of the bridge, each at most once, within its session and deadline. */
export class ActionRequestHandler {
  readonly #parts: ActionRequestHandlerDependencies;
  readonly #responses = new Map<string, ActionResponse>();
  readonly #requests: RequestFreshness<ActionMqttMessage>;

  constructor(parts: ActionRequestHandlerDependencies) {
    this.#parts = parts;
    this.#requests = new RequestFreshness(parts, (asked, freshness) => this.#settle(asked, freshness));
  }

  startSession(nonce: string): void {
    if (this.#requests.startSession(nonce)) this.#responses.clear();
  }

  /** `late_ms`: how long ago a message arrived that the bridge sent after this one. */
  receive(asked: ActionMqttMessage, late_ms: number): void {
    const known = this.#responses.get(asked.request_id);
    if (known === undefined) this.#requests.receive(asked, late_ms);
    else this.#respond(asked, known);
  }

  timeReceived(): void {
    this.#requests.timeReceived();
  }

  #settle(asked: ActionMqttMessage, freshness: RequestFreshnessResult): void {
    if (freshness === 'wrong_nonce') return this.#respond(asked, wrongNonce);
    // A request that waited for the time may have arrived twice.
    const answer = this.#responses.get(asked.request_id) ?? (freshness === 'fresh' ? this.#execute(asked) : tooLate);
    this.#remember(asked.request_id, answer);
    this.#respond(asked, answer);
  }

  #respond({ request_id }: ActionMqttMessage, answer: ActionResponse): void {
    void this.#parts.publisher.publish('action-result', { v: 1, request_id, ...answer });
  }

  #execute({ request_id, gadget_id, action_id, subject }: ActionMqttMessage): ActionResponse {
    const { controller } = this.#parts;
    if (!controller.snapshot.hasAction(gadget_id, action_id))
      return rejectAction('not_found', 'Unknown gadget or action');
    const result = controller.execute({ gadget_id, gadget_action_id: action_id, subject, request_id });
    const reason = result.outcome === 'done' ? null : result.reason;
    return { outcome: result.outcome, reason, event_id: result.event?.id ?? null };
  }

  #remember(requestId: string, answer: ActionResponse): void {
    this.#responses.set(requestId, answer);
    for (const oldest of this.#responses.keys()) {
      if (this.#responses.size <= MOST_REMEMBERED) return;
      this.#responses.delete(oldest);
    }
  }
}
