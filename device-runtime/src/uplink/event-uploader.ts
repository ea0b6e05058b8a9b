import { after } from '@lintel/access-core/monotonic';
import type { Ack } from '@lintel/wire-protocol/mqtt/messages/ack';
import type { Log } from '@lintel/service/log/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { EventLanes } from '../events/event-queues.ts';
import type { Speaker } from './uplink-publisher.ts';

const BATCH = 500;
/** Batches that the broker has not taken yet: one is signed and sent while the other is on its way. */
const MOST_ON_THE_WIRE = 2;
const ACK_MS = 30_000;
const LONGEST_ACK_MS = 600_000;

export interface EventPumpParts {
  readonly lanes: EventLanes;
  readonly speaker: Speaker;
  readonly clock: MonotonicClock;
  readonly log: Log;
}

/** Sends what happened until the bridge has said that it is committed. */
export class EventPump {
  readonly #parts: EventPumpParts;
  #isConnected = false;
  /** False while only the gateway is there, which keeps events until it has a line again. */
  #isOnline = false;
  #onTheWire = 0;
  #isScheduled = false;
  #silences = 0;
  #cancelWait: (() => void) | null = null;

  constructor(parts: EventPumpParts) {
    this.#parts = parts;
  }

  /** Whatever was under way on another connection is sent again. */
  connected(): void {
    this.#isConnected = true;
    this.#restart();
  }

  disconnected(): void {
    this.#isConnected = false;
    this.#stopWaiting();
  }

  online(isOnline: boolean): void {
    this.#isOnline = isOnline;
    this.#silences = 0;
    this.#stopWaiting();
    if (isOnline && this.#isConnected) this.#restart();
  }

  /** Something has happened. What happens in the same moment goes together. */
  poke(): void {
    if (this.#isScheduled || !this.#isConnected) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#pump();
    });
  }

  #restart(): void {
    this.#parts.lanes.restart();
    this.poke();
  }

  #pump(): void {
    while (this.#isConnected && this.#onTheWire < MOST_ON_THE_WIRE) {
      const events = this.#next();
      if (events.length === 0) break;
      void this.#send(events);
    }
    this.#waitForAck();
  }

  async #send(events: ReturnType<EventLanes['next']>): Promise<void> {
    this.#onTheWire += 1;
    await this.#parts.speaker.say('events', { v: 1, events: [...events] });
    this.#onTheWire -= 1;
    this.poke();
  }

  #next(): ReturnType<EventLanes['next']> {
    try {
      return this.#parts.lanes.next(BATCH);
    } catch {
      // The log tells of a disk that fails, and gets it to work again.
      return [];
    }
  }

  /** A message that got lost behind the broker is not known by anything else. */
  #waitForAck(): void {
    if (this.#cancelWait !== null || !this.#isOnline || this.#parts.lanes.underWay === 0) return;
    const { clock, log } = this.#parts;
    const wait = Math.min(LONGEST_ACK_MS, ACK_MS * 2 ** this.#silences);
    this.#cancelWait = clock.wake(after(clock.now(), wait), () => {
      this.#cancelWait = null;
      this.#silences += 1;
      log('warn', 'events were not acknowledged and are sent again', { after_ms: wait });
      this.#restart();
    });
  }

  #stopWaiting(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
  }

  acknowledged(ack: Ack): void {
    try {
      this.#parts.lanes.acknowledged(ack);
    } catch {
      // They stay, are sent again, and the bridge knows them by their ids.
    }
    this.#silences = 0;
    this.#stopWaiting();
    this.poke();
  }
}
