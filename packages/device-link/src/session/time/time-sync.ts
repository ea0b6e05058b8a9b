import { type Instant, instant } from '@lintel/access-core/instant';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { TimeMessage } from '@lintel/wire-protocol/mqtt/messages/time';
import type { SessionLink } from '../session-link.ts';
import type { UplinkPublisher } from '../uplink/uplink-publisher.ts';

/** A slower response may have been delayed on purpose: it does not tell the current time. */
const FRESH_MS = 10_000;
/** Also shows the bridge that the device is alive. */
const REQUEST_EVERY_MS = 120_000;
const RESPONSE_MS = 20_000;
/** After so many unanswered requests in a row the other end is not the bridge. */
const MOST_UNANSWERED = 3;
const FAULT = 'bridge_silent';

export interface TimeSyncDependencies {
  readonly link: Pick<SessionLink, 'reconnect'>;
  readonly publisher: UplinkPublisher;
  readonly clock: MonotonicClock;
  readonly wall: { setByBridge(time: Instant): void };
  readonly newNonce: () => string;
  readonly setFault: (code: string, message: string | null) => void;
}

export interface TimeSyncHooks {
  readonly received: (time: TimeMessage, isFresh: boolean) => void;
  /** A bridge that was restarted behind its broker needs the hello again. */
  readonly sendHello: () => void;
}

/**
 * Requests the time from the bridge. Each request has a nonce, and the monotonic clock runs while it is open, so a
 * response is at most as old as its request. A response also proves that the bridge itself is at the other end: without
 * one the connection is given up.
 */
export class TimeSync {
  readonly #parts: TimeSyncDependencies;
  readonly #hooks: TimeSyncHooks;
  /** When each nonce was created that the bridge may quote. */
  readonly #requested = new Map<string, MonotonicTime>();
  #sessionNonce = '';
  #unanswered = 0;
  #last: { readonly time: number; readonly receivedAt: MonotonicTime } | null = null;
  #cancel: () => void = () => undefined;

  constructor(parts: TimeSyncDependencies, hooks: TimeSyncHooks) {
    this.#parts = parts;
    this.#hooks = hooks;
  }

  /** A hello is a request, too. */
  startSession(nonce: string, createdAt: MonotonicTime): void {
    if (nonce !== this.#sessionNonce) this.#requested.clear();
    this.#sessionNonce = nonce;
    this.#requested.set(nonce, createdAt);
    this.#wait(RESPONSE_MS, () => this.#notAnswered());
  }

  endSession(): void {
    this.#cancel();
    this.#requested.clear();
  }

  request(): void {
    const { publisher, clock, newNonce } = this.#parts;
    const nonce = newNonce();
    this.#requested.set(nonce, clock.now());
    void publisher.publish('time-request', { v: 1, nonce });
    this.#wait(RESPONSE_MS, () => this.#notAnswered());
  }

  #wait(milliseconds: number, then: () => void): void {
    const { clock } = this.#parts;
    this.#cancel();
    this.#cancel = clock.wake(addMilliseconds(clock.now(), milliseconds), then);
  }

  #notAnswered(): void {
    this.#unanswered += 1;
    if (this.#unanswered % MOST_UNANSWERED !== 0) return this.#hooks.sendHello();
    this.#parts.setFault(FAULT, 'Messages are accepted, but the bridge does not respond');
    this.#parts.link.reconnect();
  }

  /** The earliest time that the bridge's clock can show now; null before its first response. */
  leastNow(): number | null {
    return this.#last === null ? null : this.#last.time + (this.#parts.clock.now() - this.#last.receivedAt);
  }

  receive(message: TimeMessage): void {
    const { clock, wall, setFault } = this.#parts;
    const requestedAt = this.#requested.get(message.nonce);
    if (requestedAt === undefined) return;
    const isFresh = clock.now() - requestedAt <= FRESH_MS;
    if (message.nonce !== this.#sessionNonce) this.#requested.delete(message.nonce);
    if (isFresh) {
      // Without the unknown travel time: a clock ahead of the bridge's would report events before they happened.
      wall.setByBridge(instant(message.time));
      this.#unanswered = 0;
      this.#last = { time: message.time, receivedAt: clock.now() };
      setFault(FAULT, null);
      this.#wait(REQUEST_EVERY_MS, () => this.request());
    }
    this.#hooks.received(message, isFresh);
    // It was late or unsolicited: a new request settles it.
    if (!isFresh) this.request();
  }
}
