import type { Storage } from '../storage/open-storage.ts';
import type { EventRow } from '../storage/schema.ts';
import { endOfLog, eventsAfter } from './event-log.ts';

/** Someone who has read the log up to the feed's position and is handed what follows. */
export interface Follower {
  take(events: readonly EventRow[]): void;
}

const PAGE = 500;

/** The end of one organization's log, read once for all who follow it. */
export class EventFeed {
  readonly #storage: Storage;
  readonly #organizationId: string;
  readonly #onError: (error: unknown) => void;
  readonly #followers = new Set<Follower>();
  #position: number;
  #reading = false;
  #again = false;

  private constructor(storage: Storage, organizationId: string, position: number, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#organizationId = organizationId;
    this.#position = position;
    this.#onError = onError;
  }

  static async open(storage: Storage, organizationId: string, onError: (error: unknown) => void): Promise<EventFeed> {
    return new EventFeed(storage, organizationId, await endOfLog(storage, organizationId), onError);
  }

  get position(): number {
    return this.#position;
  }

  get isEmpty(): boolean {
    return this.#followers.size === 0;
  }

  /** Only for who has read up to `position` in this very turn: whoever joins later has missed something. */
  join(follower: Follower): void {
    this.#followers.add(follower);
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower);
  }

  /** Something may have been committed, here or by another bridge. */
  wake(): void {
    this.#again = true;
    if (!this.#reading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#reading = true;
    try {
      while (this.#again) {
        this.#again = false;
        const events = await eventsAfter(this.#storage, this.#organizationId, this.#position, PAGE);
        const last = events.at(-1);
        if (last === undefined) continue;
        this.#position = last.recorded_at;
        for (const follower of this.#followers) follower.take(events);
        if (events.length === PAGE) this.#again = true;
      }
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#reading = false;
    }
  }
}

/** The feeds of the organizations that somebody follows. */
export class EventFeeds {
  readonly #storage: Storage;
  readonly #onError: (error: unknown) => void;
  readonly #feeds = new Map<string, Promise<EventFeed>>();

  constructor(storage: Storage, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#onError = onError;
  }

  async of(organizationId: string): Promise<EventFeed> {
    const known = this.#feeds.get(organizationId);
    if (known !== undefined) return known;
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

  /** Lets go of a feed that nobody follows any more. */
  async forget(organizationId: string): Promise<void> {
    const feed = await this.#feeds.get(organizationId);
    if (feed?.isEmpty === true) this.#feeds.delete(organizationId);
  }
}
