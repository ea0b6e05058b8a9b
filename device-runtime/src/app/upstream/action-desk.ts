import type { Monotonic } from '@lintel/access-core/monotonic';
import type { Action } from '@lintel/wire-protocol/mqtt/messages/action';
import type { ActionResult } from '@lintel/wire-protocol/mqtt/messages/action-result';
import type { MonotonicClock } from '../../ports/monotonic-clock.ts';
import type { Controller } from '../controller.ts';
import type { BridgeTime } from './bridge-time.ts';
import type { Speaker } from './speaker.ts';

/** Request ids that are remembered in a session. */
const MOST_REMEMBERED = 10_000;
/** How long the bridge waits beyond the deadline. */
const TRAVEL_MS = 1_000;
/** Requests that wait for the bridge's time. */
const MOST_UNTIMED = 16;

type Answer = Omit<ActionResult, 'v' | 'request_id'>;

const refusal = (outcome: Answer['outcome'], reason: string): Answer => ({ outcome, reason, event_id: null });
const tooLate = refusal('too_late', 'the deadline has passed');

export interface ActionDeskParts {
  readonly controller: Controller;
  readonly speaker: Speaker;
  readonly clock: MonotonicClock;
  readonly time: Pick<BridgeTime, 'leastNow' | 'ask'>;
}

interface Untimed {
  readonly asked: Action;
  readonly late_ms: number;
  readonly cameAt: Monotonic;
}

/** What the bridge asks to be done now. A request does something once, in its own session and in time, or nothing. */
export class ActionDesk {
  readonly #parts: ActionDeskParts;
  readonly #answers = new Map<string, Answer>();
  /** Came before the bridge had told the time in this run: how old they are is not known yet. */
  #untimed: Untimed[] = [];
  #nonce = '';

  constructor(parts: ActionDeskParts) {
    this.#parts = parts;
  }

  sessionBegins(nonce: string): void {
    if (nonce !== this.#nonce) this.#answers.clear();
    this.#untimed = [];
    this.#nonce = nonce;
  }

  /** `late_ms`: how long ago something was received that the bridge said after this. */
  take(asked: Action, late_ms: number): void {
    const { clock, time } = this.#parts;
    const isNew = asked.session_nonce === this.#nonce && !this.#answers.has(asked.request_id);
    if (isNew && time.leastNow() === null) return this.#putOff({ asked, late_ms, cameAt: clock.now() });
    this.#settle(asked, late_ms);
  }

  /** The bridge has told the time. On an honest line that is right behind the hello, before anything is asked. */
  timeCame(): void {
    const { clock } = this.#parts;
    const waiting = this.#untimed;
    this.#untimed = [];
    for (const { asked, late_ms, cameAt } of waiting) this.#settle(asked, late_ms + (clock.now() - cameAt));
  }

  #putOff(untimed: Untimed): void {
    if (this.#untimed.length >= MOST_UNTIMED) return this.#say(untimed.asked, tooLate);
    this.#untimed.push(untimed);
    if (this.#untimed.length === 1) this.#parts.time.ask();
  }

  #settle(asked: Action, late_ms: number): void {
    this.#say(asked, this.#answers.get(asked.request_id) ?? this.#answer(asked, late_ms));
  }

  #say({ request_id }: Action, answer: Answer): void {
    void this.#parts.speaker.say('action-result', { v: 1, request_id, ...answer });
  }

  #answer(asked: Action, late_ms: number): Answer {
    if (asked.session_nonce !== this.#nonce) return refusal('wrong_nonce', 'the request is for another session');
    const isLate = late_ms > asked.deadline_ms || this.#wasHeldBack(asked);
    const answer = isLate ? tooLate : this.#perform(asked);
    this.#remember(asked.request_id, answer);
    return answer;
  }

  #wasHeldBack({ sent_at, deadline_ms }: Action): boolean {
    const { time } = this.#parts;
    const now = time.leastNow();
    if (now === null) return true;
    if (typeof sent_at !== 'number' || now - sent_at <= deadline_ms + TRAVEL_MS) return false;
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
