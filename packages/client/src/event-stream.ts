import { LintelApiError } from './api-error.ts';
import type { Event, EventStreamMessage } from './api-types.ts';
import { computeBackoffMs } from './request-sender.ts';
import type { TokenSource } from './token-source.ts';

export interface EventStreamClientOptions {
  /** Id of the last event that you have processed. Default: only events that happen from now on. */
  readonly since?: string;
  readonly signal?: AbortSignal;
}

export interface EventStreamClientDependencies {
  readonly tokens: TokenSource;
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly random: () => number;
  /** A connection without a message for this long is replaced. The bridge sends a heartbeat every 10 s. */
  readonly silenceMs: number;
}

const CLOSE_BASE = 4000;
const UNAUTHORIZED = CLOSE_BASE + 401;
/** Requests that fail in the same way each time. */
const permanentCodes = [CLOSE_BASE + 400, CLOSE_BASE + 403, CLOSE_BASE + 404];

interface Closed {
  readonly code: number;
  readonly error: EventStreamMessage | null;
}

/** One connection, whose events are read one after the other. */
class StreamConnection {
  readonly #socket: WebSocket;
  readonly #events: Event[] = [];
  #closed: Closed | null = null;
  #error: EventStreamMessage | null = null;
  #wake: () => void = () => undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string, token: string, silenceMs: number) {
    this.#socket = new WebSocket(url);
    const restart = (): void => {
      clearTimeout(this.#silence);
      this.#silence = setTimeout(() => this.#end(1006), silenceMs);
    };
    restart();
    this.#socket.addEventListener('open', () => this.#socket.send(JSON.stringify({ access_token: token })));
    this.#socket.addEventListener('message', ({ data }) => {
      restart();
      this.#receive(JSON.parse(String(data)) as EventStreamMessage);
    });
    this.#socket.addEventListener('error', () => this.#end(1006));
    this.#socket.addEventListener('close', ({ code }) => this.#end(code));
  }

  /** The next event, or how the connection ended. */
  async next(): Promise<Event | Closed> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      if (this.#closed !== null) return this.#closed;
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#end(1000);
  }

  #receive(message: EventStreamMessage): void {
    if (message.type === 'event') this.#events.push(message.event);
    if (message.type === 'error') this.#error = message;
    this.#wake();
  }

  #end(code: number): void {
    clearTimeout(this.#silence);
    this.#closed ??= { code, error: this.#error };
    this.#socket.close();
    this.#wake();
  }
}

const toError = ({ code, error }: Closed): Error => {
  const status = code - CLOSE_BASE;
  return error?.type === 'error'
    ? new LintelApiError(status, error.error, null)
    : new Error(`The event stream was closed with ${code}`);
};

/** Events as they are committed. Connects again after each interruption, and continues after the last event. */
export async function* streamEvents(
  url: string,
  { tokens, wait, random, silenceMs }: EventStreamClientDependencies,
  { since, signal }: EventStreamClientOptions,
): AsyncGenerator<Event, void, undefined> {
  let last = since;
  for (let attempt = 0; ; attempt += 1) {
    const token = await tokens.accessToken();
    const address = new URL(url);
    if (last !== undefined) address.searchParams.set('since', last);
    const connection = new StreamConnection(address.href, token, silenceMs);
    const stop = (): void => connection.close();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      for (let next = await connection.next(); ; next = await connection.next()) {
        if (signal?.aborted === true) return;
        if ('code' in next) {
          if (permanentCodes.includes(next.code)) throw toError(next);
          if (next.code === UNAUTHORIZED) await tokens.refresh(token);
          break;
        }
        attempt = 0;
        last = next.id;
        yield next;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      connection.close();
    }
    await wait(computeBackoffMs(attempt, random), signal);
  }
}
