import type { Action } from '@lintel/wire-protocol/mqtt/messages/action';
import type { ActionResult } from '@lintel/wire-protocol/mqtt/messages/action-result';
import type { Controller } from '../controller/controller.ts';
import type { Speaker } from './uplink-publisher.ts';
import { type Standing, TimelyRequests, type TimelyRequestsParts } from './request-freshness.ts';

/** Request ids that are remembered in a session. */
const MOST_REMEMBERED = 10_000;

type Answer = Omit<ActionResult, 'v' | 'request_id'>;

const refusal = (outcome: Answer['outcome'], reason: string): Answer => ({ outcome, reason, event_id: null });
const tooLate = refusal('too_late', 'the deadline has passed');
const wrongNonce = refusal('wrong_nonce', 'the request is for another session');

export interface ActionDeskParts extends TimelyRequestsParts {
  readonly controller: Controller;
  readonly speaker: Speaker;
}

/** What the bridge asks to be done now. A request does something once, in its own session and in time, or nothing. */
export class ActionDesk {
  readonly #parts: ActionDeskParts;
  readonly #answers = new Map<string, Answer>();
  readonly #requests: TimelyRequests<Action>;

  constructor(parts: ActionDeskParts) {
    this.#parts = parts;
    this.#requests = new TimelyRequests(parts, (asked, standing) => this.#settle(asked, standing));
  }

  sessionBegins(nonce: string): void {
    if (this.#requests.sessionBegins(nonce)) this.#answers.clear();
  }

  /** `late_ms`: how long ago something was received that the bridge said after this. */
  take(asked: Action, late_ms: number): void {
    const known = this.#answers.get(asked.request_id);
    if (known === undefined) this.#requests.take(asked, late_ms);
    else this.#say(asked, known);
  }

  timeCame(): void {
    this.#requests.timeCame();
  }

  #settle(asked: Action, standing: Standing): void {
    if (standing === 'wrong_nonce') return this.#say(asked, wrongNonce);
    // One that waited for the time may have come twice meanwhile.
    const answer = this.#answers.get(asked.request_id) ?? (standing === 'timely' ? this.#perform(asked) : tooLate);
    this.#remember(asked.request_id, answer);
    this.#say(asked, answer);
  }

  #say({ request_id }: Action, answer: Answer): void {
    void this.#parts.speaker.say('action-result', { v: 1, request_id, ...answer });
  }

  #perform({ request_id, gadget_id, action_id, subject }: Action): Answer {
    const { controller } = this.#parts;
    if (!controller.slice.hasAction(gadget_id, action_id)) return refusal('not_found', 'there is no such action here');
    const performed = controller.execute({ gadget_id, gadget_action_id: action_id, subject, request_id });
    const reason = performed.outcome === 'done' ? null : performed.reason;
    return { outcome: performed.outcome, reason, event_id: performed.event.id };
  }

  #remember(requestId: string, answer: Answer): void {
    this.#answers.set(requestId, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST_REMEMBERED) return;
      this.#answers.delete(oldest);
    }
  }
}
