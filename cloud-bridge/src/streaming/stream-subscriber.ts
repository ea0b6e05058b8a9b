import type { Timers } from '@lintel/service/timing/timers';
import { ApiError } from '../http/api-error.ts';
import { toOutageError } from '../http/error-handling.ts';
import type { RequestAdmission } from '../http/request-admission.ts';
import { eventMatchesFilters } from '../queries/event-matches-filters.ts';
import type { ResourceReader } from '../queries/resource-reader.ts';
import { toEventApiObject } from '../queries/resource-table-mappings.ts';
import { toJson } from '../queries/serialize-rows-to-json.ts';
import type { ResourceViewer } from '../queries/resource-viewer-identity.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import type { EventStreamAccess } from './authorize-event-stream.ts';
import type { BacklogTurns } from './backlog-turns.ts';
import type { EventFeed, EventFeedListener } from './event-feeds.ts';
import { readEventsAfter } from './event-log-reader.ts';
import type { EventStreamRequest } from './stream-request.ts';
import type { EventStreamSocket } from './stream-socket-interface.ts';

export interface EventStreamSubscriberDependencies {
  readonly storage: Storage;
  readonly reader: ResourceReader;
  readonly admission: RequestAdmission;
  readonly backlogs: BacklogTurns;
  readonly messages: EventMessageCache;
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
}

/** WebSocket close code "try again later" (RFC 6455 registry). The client reconnects with `since`. */
const TRY_AGAIN_LATER = 1013;
const INTERNAL_ERROR = 1011;
const MAX_BUFFER_BYTES = 1024 * 1024;
const DRAINED_BUFFER_BYTES = 64 * 1024;
const MAX_QUEUED_EVENTS = 5000;
/** As many as a page of a list, because a page is read in the queue of list requests. */
const PAGE_SIZE = 100;
const LIST_REQUEST = { method: 'GET' };
const DRAIN_POLL_MS = 20;
const DRAIN_TIMEOUT_MS = 10_000;
const TERMINATE_MS = 1000;

const messageOf = (event: object, note: string | null = null): string =>
  toJson({ type: 'event', event, ...(note === null ? {} : { note }) });

/** Caches messages without expands, because they are the same for every subscriber. */
export class EventMessageCache {
  readonly #texts = new WeakMap<OrganizationEventRow, string>();

  messageFor(row: OrganizationEventRow): string {
    const cached = this.#texts.get(row);
    if (cached !== undefined) return cached;
    const text = messageOf(toEventApiObject({ ...row }));
    this.#texts.set(row, text);
    return text;
  }
}

/** Sends one socket the events since its start position, then new events. */
export class EventStreamSubscriber implements EventFeedListener {
  readonly #dependencies: EventStreamSubscriberDependencies;
  readonly #socket: EventStreamSocket;
  readonly #viewer: ResourceViewer;
  readonly #caller: string;
  readonly #request: EventStreamRequest;
  #position: number;
  #queued = 0;
  #sending: Promise<void> | undefined;

  constructor(
    dependencies: EventStreamSubscriberDependencies,
    socket: EventStreamSocket,
    { viewer, caller }: Pick<EventStreamAccess, 'viewer' | 'caller'>,
    request: EventStreamRequest,
    position: number,
  ) {
    this.#dependencies = dependencies;
    this.#socket = socket;
    this.#viewer = viewer;
    this.#caller = caller;
    this.#request = request;
    this.#position = position;
  }

  /** Catches up with the feed, then listens to it. */
  async follow(feed: EventFeed): Promise<void> {
    while (this.#isOpen && this.#position < feed.position)
      await this.#dependencies.backlogs.run(this.#caller, () => this.#sendPage(feed.position));
    if (this.#isOpen) feed.addListener(this);
  }

  onEvents(events: readonly OrganizationEventRow[]): void {
    const newEvents = events.filter(event => event.recorded_at > this.#position);
    this.#position = Math.max(this.#position, events.at(-1)?.recorded_at ?? 0);
    const matching = newEvents.filter(event => eventMatchesFilters(event, this.#request.filters));
    if (matching.length === 0 || !this.#isOpen) return;
    if (this.#request.expand.size === 0) {
      for (const row of matching) this.#socket.send(this.#dependencies.messages.messageFor(row));
      this.#disconnectIfSlow();
      return;
    }
    this.#queued += matching.length;
    const sending = (this.#sending ?? Promise.resolve()).then(() => this.#send(matching));
    this.#sending = sending.catch(error => this.#fail(error)).finally(() => (this.#queued -= matching.length));
    // `#send` waits for the socket, so that one large event does not disconnect the client.
    if (this.#queued > MAX_QUEUED_EVENTS) this.#disconnect();
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  async #sendPage(feedPosition: number): Promise<void> {
    if (!this.#isOpen) return;
    const events = await this.#runInTurn(() =>
      readEventsAfter(this.#dependencies.storage, this.#viewer.organizationId, this.#position, PAGE_SIZE),
    );
    await this.#send(events);
    const last = events.at(-1)?.recorded_at ?? this.#position;
    this.#position = events.length < PAGE_SIZE ? Math.max(last, feedPosition) : last;
    await this.#waitForDrain();
  }

  #runInTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#dependencies.admission.run(LIST_REQUEST, this.#viewer.organizationId, work);
  }

  async #send(events: readonly OrganizationEventRow[]): Promise<void> {
    const { reader } = this.#dependencies;
    const { filters, expand } = this.#request;
    const matching = events.filter(event => eventMatchesFilters(event, filters));
    const objects = matching.map(row => toEventApiObject({ ...row }));
    const expanded = reader.expandEach(this.#viewer, objects, expand, work => this.#runInTurn(work));
    for await (const { object, error } of expanded) {
      if (!this.#isOpen) return;
      this.#socket.send(messageOf(object, error?.message));
      if (this.#socket.bufferedAmount > MAX_BUFFER_BYTES) await this.#waitForDrain();
    }
  }

  /** Reads old events only as fast as the client receives them. */
  async #waitForDrain(): Promise<void> {
    for (let waited = 0; this.#isOpen && this.#socket.bufferedAmount > DRAINED_BUFFER_BYTES; waited += DRAIN_POLL_MS) {
      if (waited >= DRAIN_TIMEOUT_MS) return this.#disconnect();
      await new Promise<void>(resolve => void this.#dependencies.timers.after(DRAIN_POLL_MS, resolve));
    }
  }

  #disconnectIfSlow(): void {
    if (this.#socket.bufferedAmount > MAX_BUFFER_BYTES) this.#disconnect();
  }

  /** Terminates after a second, because the close frame waits behind the unread data. */
  #disconnect(): void {
    this.#socket.close(TRY_AGAIN_LATER, 'too slow: reconnect with since');
    const cancel = this.#dependencies.timers.after(TERMINATE_MS, () => this.#socket.terminate());
    this.#socket.once('close', cancel);
  }

  #fail(error: unknown): void {
    if (error instanceof ApiError && error.type === 'unavailable') {
      this.#socket.close(TRY_AGAIN_LATER, 'too many requests: reconnect with since');
      return;
    }
    this.#dependencies.onError(error);
    if (toOutageError(error) === null) this.#socket.close(INTERNAL_ERROR);
    else this.#socket.close(TRY_AGAIN_LATER, 'database not available: reconnect with since');
  }
}
