import type { Action } from '@lintel/wire-protocol/mqtt/messages/action';
import type { ActionResult } from '@lintel/wire-protocol/mqtt/messages/action-result';
import type { Controller } from '../controller.ts';
import type { BridgeTime } from './bridge-time.ts';
import type { Speaker } from './speaker.ts';

/** Request ids that are remembered in a session. */
const MOST_REMEMBERED = 10_000;
/** How long the bridge waits beyond the deadline. */
const TRAVEL_MS = 1_000;

type Answer = Omit<ActionResult, 'v' | 'request_id'>;

const refusal = (outcome: Answer['outcome'], reason: string): Answer => ({ outcome, reason, event_id: null });

export interface ActionDeskParts {
  readonly controller: Controller;
  readonly speaker: Speaker;
  readonly time: Pick<BridgeTime, 'leastNow' | 'ask'>;
}

/** What the bridge asks to be done now. A request does something once, in its own session and in time, or nothing. */
export class ActionDesk {
  readonly #parts: ActionDeskParts;
  readonly #answers = new Map<string, Answer>();
  #nonce = '';

  constructor(parts: ActionDeskParts) {
    this.#parts = parts;
  }

  sessionBegins(nonce: string): void {
    if (nonce !== this.#nonce) this.#answers.clear();
    this.#nonce = nonce;
  }

  /** `late_ms`: how long ago something was received that the bridge said after this. */
  take(asked: Action, late_ms: number): void {
    const { request_id } = asked;
    const answer = this.#answers.get(request_id) ?? this.#answer(asked, late_ms);
    void this.#parts.speaker.say('action-result', { v: 1, request_id, ...answer });
  }

  #answer(asked: Action, late_ms: number): Answer {
    if (asked.session_nonce !== this.#nonce) return refusal('wrong_nonce', 'the request is for another session');
    const isLate = late_ms > asked.deadline_ms || this.#wasHeldBack(asked);
    const answer = isLate ? refusal('too_late', 'the deadline has passed') : this.#perform(asked);
    this.#remember(asked.request_id, answer);
    return answer;
  }

  #wasHeldBack({ sent_at, deadline_ms }: Action): boolean {
    const { time } = this.#parts;
    const now = time.leastNow();
    if (now === null || typeof sent_at !== 'number' || now - sent_at <= deadline_ms + TRAVEL_MS) return false;
    // Or the bridge's clock was set back, and the next answer tells.
    time.ask();
    return true;
  }

  #perform({ request_id, gadget_id, action_id, subject }: Action): Answer {
    const { controller } = this.#parts;
    if (!controller.slice.hasAction(gadget_id, action_id)) return refusal('not_found', 'there is no such action here');
    const performed = controller.execute({ target: { gadget_id, action_id }, subject, request_id });
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
