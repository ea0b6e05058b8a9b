import {
  type Freshness,
  RequestFreshness,
  type RequestFreshnessParts,
} from '@lintel/device-link/session/time/request-freshness';
import type { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { Action } from '@lintel/wire-protocol/mqtt/messages/action';
import type { ActionResult } from '@lintel/wire-protocol/mqtt/messages/action-result';
import type { Controller } from '../controller/controller.ts';

/** Request ids that are remembered in a session. */
const MOST_REMEMBERED = 10_000;

type Answer = Omit<ActionResult, 'v' | 'request_id'>;

const refusal = (outcome: Answer['outcome'], reason: string): Answer => ({ outcome, reason, event_id: null });
const tooLate = refusal('too_late', 'the deadline has passed');
const wrongNonce = refusal('wrong_nonce', 'the request is for another session');

export interface ActionHandlerParts extends RequestFreshnessParts {
  readonly controller: Controller;
  readonly publisher: UplinkPublisher;
}

/** What the bridge asks to be done now. A request does something once, in its own session and in time, or nothing. */
export class ActionHandler {
  readonly #parts: ActionHandlerParts;
  readonly #answers = new Map<string, Answer>();
  readonly #requests: RequestFreshness<Action>;

  constructor(parts: ActionHandlerParts) {
    this.#parts = parts;
    this.#requests = new RequestFreshness(parts, (asked, freshness) => this.#settle(asked, freshness));
  }

  startSession(nonce: string): void {
    if (this.#requests.startSession(nonce)) this.#answers.clear();
  }

  /** `late_ms`: how long ago a message arrived that the bridge sent after this one. */
  receive(asked: Action, late_ms: number): void {
    const known = this.#answers.get(asked.request_id);
    if (known === undefined) this.#requests.receive(asked, late_ms);
    else this.#say(asked, known);
  }

  timeReceived(): void {
    this.#requests.timeReceived();
  }

  #settle(asked: Action, freshness: Freshness): void {
    if (freshness === 'wrong_nonce') return this.#say(asked, wrongNonce);
    // One that waited for the time may have come twice meanwhile.
    const answer = this.#answers.get(asked.request_id) ?? (freshness === 'fresh' ? this.#perform(asked) : tooLate);
    this.#remember(asked.request_id, answer);
    this.#say(asked, answer);
  }

  #say({ request_id }: Action, answer: Answer): void {
    void this.#parts.publisher.publish('action-result', { v: 1, request_id, ...answer });
  }

  #perform({ request_id, gadget_id, action_id, subject }: Action): Answer {
    const { controller } = this.#parts;
    if (!controller.snapshot.hasAction(gadget_id, action_id))
      return refusal('not_found', 'there is no such action here');
    const performed = controller.execute({ gadget_id, gadget_action_id: action_id, subject, request_id });
    const reason = performed.outcome === 'done' ? null : performed.reason;
    return { outcome: performed.outcome, reason, event_id: performed.event?.id ?? null };
  }

  #remember(requestId: string, answer: Answer): void {
    this.#answers.set(requestId, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST_REMEMBERED) return;
      this.#answers.delete(oldest);
    }
  }
}
