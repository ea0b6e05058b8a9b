import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { formatQuery, type QueryParameters } from './send-request.ts';

export interface EventStreamOptions {
  /** Path of the stream without the query, for example `/admin/v1/organizations/org_1/events/stream`. */
  readonly path: string;
  readonly query: QueryParameters;
  readonly onEvent: (event: EventResponse) => void;
  readonly onConnected: (isConnected: boolean) => void;
}

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;
/** The bridge closes the socket with 4000 plus the HTTP status of an error. */
const FIRST_FATAL_CODE = 4400;
const FIRST_TEMPORARY_CODE = 4429;

/** Receives new events over a WebSocket. Reconnects with backoff and resumes after the last event. */
export class EventStream {
  readonly #options: EventStreamOptions;
  #socket: WebSocket | null = null;
  #timer = 0;
  #failures = 0;
  #lastEventId: string | null = null;
  #isClosed = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#open();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #open(): void {
    const { path, query, onConnected } = this.#options;
    const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
    const parameters = formatQuery({ ...query, since: this.#lastEventId });
    const socket = new WebSocket(`${scheme}://${window.location.host}${path}${parameters}`);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#failures = 0;
      onConnected(true);
    });
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
    socket.addEventListener('close', ({ code }) => this.#reconnect(code));
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as { readonly type: string; readonly event?: EventResponse };
    if (message.type !== 'event' || message.event === undefined) return;
    this.#lastEventId = message.event.id;
    this.#options.onEvent(message.event);
  }

  #reconnect(code: number): void {
    if (this.#isClosed) return;
    this.#options.onConnected(false);
    // Access was withdrawn, or the last event is gone: the same request cannot succeed.
    if (code >= FIRST_FATAL_CODE && code < FIRST_TEMPORARY_CODE) this.#lastEventId = null;
    const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#timer = window.setTimeout(() => this.#open(), delay);
  }
}
