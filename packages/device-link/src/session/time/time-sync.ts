import { type Instant, instant } from '@lintel/access-core/instant';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { TimeMqttMessage } from '@lintel/wire-protocol/mqtt/messages/time';
import type { DeviceSyncPosition } from '@lintel/wire-protocol/mqtt/messages/time-request';
import type { SessionLink } from '../session-link-interface.ts';
import type { UplinkPublisher } from '../uplink/uplink-publisher.ts';

/**
 * A slower response may have been delayed on purpose: it does not tell the current time. An accepted response is wrong by
 * at most half of this.
 */
const LONGEST_ROUND_TRIP_MS = 10_000;
/** Also shows the bridge that the device is alive. */
const REQUEST_EVERY_MS = 120_000;
const RESPONSE_MS = 20_000;
/** Replayed messages must not cause a request each. */
const CHECK_EVERY_MS = 10_000;
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
  /** With the position of the device at its request. */
  readonly received: (time: TimeMqttMessage, isFresh: boolean, requestedAt: DeviceSyncPosition) => void;
  readonly position: () => DeviceSyncPosition;
  /** A bridge that was restarted behind its broker, or restored from a backup, needs the hello again. */
  readonly sendHello: () => void;
}

interface OpenRequest {
  readonly sentAt: MonotonicTime;
  readonly position: DeviceSyncPosition;
  readonly isAnswered: boolean;
}

/**
 * Requests the time from the bridge. Each request has a nonce, and the monotonic clock runs while it is open, so a
 * response is at most as old as its request, and probably half as old. A response also proves that the bridge itself is at the other end: without
 * one the connection is given up.
 */
export class TimeSync {
  readonly #parts: TimeSyncDependencies;
  readonly #hooks: TimeSyncHooks;
  /** By the nonce that the bridge quotes. */
  readonly #requested = new Map<string, OpenRequest>();
  #sessionNonce = '';
  #unanswered = 0;
  #last: { readonly time: number; readonly receivedAt: MonotonicTime } | null = null;
  #nextCheckAt: MonotonicTime | null = null;
  #cancel: () => void = () => undefined;

  constructor(parts: TimeSyncDependencies, hooks: TimeSyncHooks) {
    this.#parts = parts;
    this.#hooks = hooks;
  }

  /** A hello is a request, too. The response to a repeated hello may answer the first one. */
  startSession(nonce: string): void {
    if (nonce !== this.#sessionNonce) this.#requested.clear();
    this.#sessionNonce = nonce;
    if (!this.#requested.has(nonce)) this.#open(nonce);
    this.#wait(RESPONSE_MS, () => this.#notAnswered());
  }

  endSession(): void {
    this.#cancel();
    this.#requested.clear();
  }

  request(): void {
    const { publisher, newNonce } = this.#parts;
    const nonce = newNonce();
    const position = this.#open(nonce);
    void publisher.publish('time-request', { v: 1, nonce, position });
    this.#wait(RESPONSE_MS, () => this.#notAnswered());
  }

  /**
   * A message seems to be older than what the device holds. It was replayed, or the bridge was restored from a backup:
   * a new request, which reports the position of the device, tells.
   */
  checkBridge(): void {
    const now = this.#parts.clock.now();
    if (this.#nextCheckAt !== null && now < this.#nextCheckAt) return;
    this.#nextCheckAt = addMilliseconds(now, CHECK_EVERY_MS);
    this.request();
  }

  #open(nonce: string): DeviceSyncPosition {
    const position = this.#hooks.position();
    this.#requested.set(nonce, { sentAt: this.#parts.clock.now(), position, isAnswered: false });
    return position;
  }

  #wait(milliseconds: number, then: () => void): void {
    const { clock } = this.#parts;
    this.#cancel();
    this.#cancel = clock.wake(addMilliseconds(clock.now(), milliseconds), then);
  }

  #notAnswered(): void {
    this.#unanswered += 1;
    if (this.#unanswered % MOST_UNANSWERED !== 0) return this.#hooks.sendHello();
    const { setFault, publisher, link } = this.#parts;
    setFault(FAULT, 'Messages are accepted, but the bridge does not respond');
    publisher.skipCounters();
    link.reconnect();
  }

  /** The earliest time that the bridge's clock can show now; null before its first response. */
  leastNow(): number | null {
    return this.#last === null ? null : this.#last.time + (this.#parts.clock.now() - this.#last.receivedAt);
  }

  receive(message: TimeMqttMessage): void {
    const { clock, wall, setFault } = this.#parts;
    const request = this.#requested.get(message.nonce);
    // Of another session: the bridge was restored to a time before this one.
    if (request === undefined) return this.checkBridge();
    const roundTrip = clock.now() - request.sentAt;
    const isFresh = roundTrip <= LONGEST_ROUND_TRIP_MS;
    if (message.nonce === this.#sessionNonce) this.#requested.set(message.nonce, { ...request, isAnswered: true });
    else this.#requested.delete(message.nonce);
    if (isFresh) {
      // The bridge also announces revisions with the nonce of the session, which are no responses.
      if (!request.isAnswered) wall.setByBridge(instant(message.time + Math.round(roundTrip / 2)));
      this.#unanswered = 0;
      this.#last = { time: message.time, receivedAt: clock.now() };
      setFault(FAULT, null);
      this.#wait(REQUEST_EVERY_MS, () => this.request());
    }
    // The hello reports the counters before the lower ones of the bridge take effect.
    if (message.needs_hello === true && message.nonce !== this.#sessionNonce) return this.#hooks.sendHello();
    this.#hooks.received(message, isFresh, request.position);
    // It was late or unsolicited: a new request settles it.
    if (!isFresh) this.request();
  }
}
