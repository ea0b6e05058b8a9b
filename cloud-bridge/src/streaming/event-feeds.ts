import { setImmediate } from 'node:timers/promises';
import type { Storage } from '../storage/open-storage.ts';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import { findLastEventPosition, readEventsAfter } from './event-log-reader.ts';

/** Receives the events after the position of the feed at the time of `addListener`. */
export interface EventFeedListener {
  onEvents(events: readonly OrganizationEventRow[]): void;
}

const PAGE_SIZE = 100;
/** Other requests are served after this many messages. */
const MESSAGES_PER_TURN = 200;

/** Reads new events of one organization once for all listeners. */
export class EventFeed {
  readonly #storage: Storage;
  readonly #organizationId: string;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<EventFeedListener>();
  #position: number;
  #isReading = false;
  #mustReadAgain = false;

  private constructor(storage: Storage, organizationId: string, position: number, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#organizationId = organizationId;
    this.#position = position;
    this.#onError = onError;
  }

  static async open(storage: Storage, organizationId: string, onError: (error: unknown) => void): Promise<EventFeed> {
    return new EventFeed(storage, organizationId, await findLastEventPosition(storage, organizationId), onError);
  }

  get position(): number {
    return this.#position;
  }

  get hasNoListeners(): boolean {
    return this.#listeners.size === 0;
  }

  /** Call synchronously after the listener has reached `position`. Otherwise it misses events. */
  addListener(listener: EventFeedListener): void {
    this.#listeners.add(listener);
  }

  removeListener(listener: EventFeedListener): void {
    this.#listeners.delete(listener);
  }

  /** Call when this or another bridge may have committed events. */
  wake(): void {
    this.#mustReadAgain = true;
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#mustReadAgain) {
        this.#mustReadAgain = false;
        const events = await readEventsAfter(this.#storage, this.#organizationId, this.#position, PAGE_SIZE);
        const last = events.at(-1);
        if (last === undefined) continue;
        this.#position = last.recorded_at;
        await this.#deliver(events);
        if (events.length === PAGE_SIZE) this.#mustReadAgain = true;
      }
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#isReading = false;
    }
  }

  async #deliver(events: readonly OrganizationEventRow[]): Promise<void> {
    let sent = 0;
    for (const listener of this.#listeners) {
      if (sent >= MESSAGES_PER_TURN) {
        sent = 0;
        await setImmediate();
      }
      listener.onEvents(events);
      sent += events.length;
    }
  }
}

/** The feeds of all organizations that have listeners. */
export class EventFeeds {
  readonly #storage: Storage;
  readonly #onError: (error: unknown) => void;
  readonly #feeds = new Map<string, Promise<EventFeed>>();

  constructor(storage: Storage, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#onError = onError;
  }

  async getFeed(organizationId: string): Promise<EventFeed> {
    const cached = this.#feeds.get(organizationId);
    if (cached !== undefined) return cached;
    const opening = EventFeed.open(this.#storage, organizationId, this.#onError);
    this.#feeds.set(organizationId, opening);
    opening.catch(() => this.#feeds.delete(organizationId));
    return opening;
  }

  wake(organizationId: string): void {
    this.#feeds.get(organizationId)?.then(
      feed => feed.wake(),
      () => undefined,
    );
  }

  wakeAll(): void {
    for (const organizationId of this.#feeds.keys()) this.wake(organizationId);
  }

  /** Drops the feed when it has no listeners. */
  async releaseIfUnused(organizationId: string): Promise<void> {
    const feed = await this.#feeds.get(organizationId);
    if (feed?.hasNoListeners === true) this.#feeds.delete(organizationId);
  }
}
