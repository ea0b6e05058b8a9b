import { setTimeout as delay } from 'node:timers/promises';
import { eventMatches } from '../queries/event-matches.ts';
import type { Reader } from '../queries/reader.ts';
import { eventObject } from '../queries/source.ts';
import type { Viewer } from '../queries/viewer.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { EventRow } from '../storage/schema.ts';
import type { EventFeed, Follower } from './event-feeds.ts';
import { eventsAfter } from './event-log.ts';
import type { StreamRequest } from './stream-request.ts';
import type { StreamSocket } from './stream-socket.ts';

export interface SubscriberDependencies {
  readonly storage: Storage;
  readonly reader: Reader;
  readonly messages: EventMessages;
  readonly onError: (error: unknown) => void;
}

/** RFC 6455's registry: "try again later". The client comes back with `since`. */
const TOO_SLOW = 1013;
const INTERNAL = 1011;
const MOST_BUFFERED = 1024 * 1024;
const LITTLE_BUFFERED = 64 * 1024;
const MOST_QUEUED = 5000;
const PAGE = 200;
const DRAIN_LOOK_MS = 20;
const LONGEST_DRAIN_MS = 10_000;

const messageOf = (event: object): string => JSON.stringify({ type: 'event', event });

/** The messages without expands, which are the same for every subscriber. */
export class EventMessages {
  readonly #texts = new WeakMap<EventRow, string>();

  of(row: EventRow): string {
    const known = this.#texts.get(row);
    if (known !== undefined) return known;
    const text = messageOf(eventObject({ ...row }));
    this.#texts.set(row, text);
    return text;
  }
}

/** One socket's way through the log: first what it missed, then what happens. */
export class Subscriber implements Follower {
  readonly #dependencies: SubscriberDependencies;
  readonly #socket: StreamSocket;
  readonly #viewer: Viewer;
  readonly #request: StreamRequest;
  #position: number;
  #queued = 0;
  #sending: Promise<void> | undefined;

  constructor(
    dependencies: SubscriberDependencies,
    socket: StreamSocket,
    viewer: Viewer,
    request: StreamRequest,
    position: number,
  ) {
    this.#dependencies = dependencies;
    this.#socket = socket;
    this.#viewer = viewer;
    this.#request = request;
    this.#position = position;
  }

  /** Catches up with the feed and joins it. */
  async follow(feed: EventFeed): Promise<void> {
    const { storage } = this.#dependencies;
    while (this.#isOpen && this.#position < feed.position) {
      const reached = feed.position;
      const events = await eventsAfter(storage, this.#viewer.organizationId, this.#position, PAGE);
      await this.#send(events);
      const last = events.at(-1)?.recorded_at ?? this.#position;
      this.#position = events.length < PAGE ? Math.max(last, reached) : last;
      await this.#drained();
    }
    if (this.#isOpen) feed.join(this);
  }

  take(events: readonly EventRow[]): void {
    const fresh = events.filter(event => event.recorded_at > this.#position);
    this.#position = Math.max(this.#position, events.at(-1)?.recorded_at ?? 0);
    const wanted = fresh.filter(event => eventMatches(event, this.#request.filters));
    if (wanted.length === 0 || !this.#isOpen) return;
    if (this.#request.expand.size === 0) {
      for (const row of wanted) this.#socket.send(this.#dependencies.messages.of(row));
      this.#cutIfSlow();
      return;
    }
    this.#queued += wanted.length;
    const sending = (this.#sending ?? Promise.resolve()).then(() => this.#send(wanted));
    this.#sending = sending.catch(error => this.#fail(error)).finally(() => (this.#queued -= wanted.length));
    this.#cutIfSlow();
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  async #send(events: readonly EventRow[]): Promise<void> {
    const { filters, expand } = this.#request;
    const wanted = events.filter(event => eventMatches(event, filters));
    const objects = wanted.map(row => eventObject({ ...row }));
    await this.#dependencies.reader.expand(this.#viewer, objects, expand);
    for (const object of objects) this.#socket.send(messageOf(object));
  }

  /** Old events are read only as fast as they are taken. */
  async #drained(): Promise<void> {
    for (let waited = 0; this.#isOpen && this.#socket.bufferedAmount > LITTLE_BUFFERED; waited += DRAIN_LOOK_MS) {
      if (waited >= LONGEST_DRAIN_MS) return this.#cut();
      await delay(DRAIN_LOOK_MS);
    }
  }

  #cutIfSlow(): void {
    if (this.#socket.bufferedAmount > MOST_BUFFERED || this.#queued > MOST_QUEUED) this.#cut();
  }

  /** The close frame would wait behind all that the client does not read: it gets a moment, then the line is cut. */
  #cut(): void {
    this.#socket.close(TOO_SLOW, 'too slow: come back with since');
    setTimeout(() => this.#socket.terminate(), 1000).unref();
  }

  #fail(error: unknown): void {
    this.#dependencies.onError(error);
    this.#socket.close(INTERNAL);
  }
}
