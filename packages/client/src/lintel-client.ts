import { type Event, type Operations, operations } from './api-types.ts';
import { pollEvents } from './event-polling.ts';
import { type EventStreamClientOptions, streamEvents } from './event-stream.ts';
import { RequestSender, waitOrAbort } from './request-sender.ts';
import { createFixedTokenSource, type TokenSource } from './token-source.ts';

export interface LintelClientOptions {
  /** Address of the API, such as `https://doors.example.com/v2`. */
  readonly baseUrl: string;
  /** An access token, or a source that refreshes it. */
  readonly token: string | TokenSource;
  /** How often a request is sent at most. Default: 5 */
  readonly maxAttempts?: number;
  readonly fetch?: typeof fetch;
  /** For tests. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

type Name = keyof Operations;

/** Names of the operations that return a page of a list. */
type ListName = {
  [N in Name]: Operations[N]['response'] extends { data: unknown[]; has_next: boolean } ? N : never;
}[Name];
type Item<N extends ListName> = Operations[N]['response']['data'][number];

type Required<N extends Name, K extends 'path' | 'body'> = [Operations[N][K]] extends [never]
  ? unknown
  : { readonly [P in K]: Operations[N][K] };

/** Path parameters, query and body of an operation. */
export type OperationArguments<N extends Name> = Required<N, 'path'> &
  Required<N, 'body'> & {
    readonly query?: Operations[N]['query'];
    /** Default for a POST: a random key, so that a repeated request has no further effect. */
    readonly idempotencyKey?: string;
    readonly signal?: AbortSignal;
  };

type Optional<T> = Record<string, never> extends T ? [T?] : [T];

interface AnyArguments {
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

type QueryValue = string | number | Readonly<Record<string, string>> | undefined;

const appendQuery = (url: URL, query: Readonly<Record<string, QueryValue>> = {}): URL => {
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) url.searchParams.append(`${name}[${key}]`, inner);
    else if (value !== undefined) url.searchParams.append(name, String(value));
  }
  return url;
};

const SILENCE_MS = 30_000;

/** Calls the operations of the API by the names of its OpenAPI document. */
export class LintelClient {
  readonly #options: LintelClientOptions;
  readonly #tokens: TokenSource;
  readonly #sender: RequestSender;

  constructor(options: LintelClientOptions) {
    const { token, maxAttempts = 5, wait = waitOrAbort, fetch: send = fetch } = options;
    this.#options = options;
    this.#tokens = typeof token === 'string' ? createFixedTokenSource(token) : token;
    this.#sender = new RequestSender({ tokens: this.#tokens, fetch: send, maxAttempts, wait, random: Math.random });
  }

  /** Sends one request. Rejects with a `LintelApiError` if the response is not 2xx. */
  async call<N extends Name>(name: N, ...[given]: Optional<OperationArguments<N>>): Promise<Operations[N]['response']> {
    const { path = {}, body, query, idempotencyKey, signal } = (given ?? {}) as AnyArguments;
    const [method, template] = operations[name];
    const address = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
      const value = path[parameter];
      if (value === undefined || value === '') throw new TypeError(`${name} requires ${parameter}`);
      return encodeURIComponent(value);
    });
    const response = await this.#sender.send({
      method,
      url: appendQuery(new URL(this.#options.baseUrl.replace(/\/$/, '') + address), query).href,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'POST' ? { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() } : {}),
      },
      signal,
    });
    return response as Operations[N]['response'];
  }

  /** All objects of a list, page by page. */
  async *iterate<N extends ListName>(
    name: N,
    ...[given]: Optional<OperationArguments<N>>
  ): AsyncGenerator<Item<N>, void, undefined> {
    const { query, ...rest } = (given ?? {}) as AnyArguments;
    for (let cursor: string | undefined; ; ) {
      const position = cursor === undefined ? {} : { cursor };
      const page = await this.call(name, ...([{ ...rest, query: { ...query, ...position } }] as never));
      yield* page.data as Item<N>[];
      if (!page.has_next || page.cursor_next === undefined) return;
      cursor = page.cursor_next;
    }
  }

  /**
   * Follows the events that match the filters. Resumes after each interruption without a gap. A platform without
   * `WebSocket`, such as Node 20, asks for new events every second.
   */
  async *stream(
    query: Omit<Operations['listEvents']['query'], 'cursor' | 'limit' | 'sort'> = {},
    options: EventStreamClientOptions = {},
  ): AsyncGenerator<Event, void, undefined> {
    const since = options.since ?? (await this.#lastEventId(options.signal));
    if (typeof WebSocket === 'undefined') return yield* this.#poll(query, since, options.signal);
    const url = appendQuery(new URL(`${this.#options.baseUrl.replace(/\/$/, '')}/events/stream`), query);
    url.protocol = url.protocol.replace('http', 'ws');
    const dependencies = {
      tokens: this.#tokens,
      wait: this.#options.wait ?? waitOrAbort,
      random: Math.random,
      silenceMs: SILENCE_MS,
    };
    yield* streamEvents(url.href, dependencies, { ...options, ...(since === undefined ? {} : { since }) });
  }

  async *#poll(
    query: Operations['listEvents']['query'],
    since: string | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Event, void, undefined> {
    const abortable = signal === undefined ? {} : { signal };
    const last =
      since === undefined ? undefined : await this.call('getEvent', { path: { event_id: since }, ...abortable });
    yield* pollEvents({
      list: recordedAfter => {
        const newer = recordedAfter === undefined ? {} : { 'recorded_at:gt': recordedAfter };
        return this.iterate('listEvents', { query: { ...query, ...newer, sort: 'recorded_at:asc' }, ...abortable });
      },
      recordedAfter: last?.recorded_at,
      signal,
      wait: this.#options.wait ?? waitOrAbort,
      random: Math.random,
    });
  }

  /** A connection that is lost before its first event would otherwise have nothing to resume from. */
  async #lastEventId(signal: AbortSignal | undefined): Promise<string | undefined> {
    const { data } = await this.call('listEvents', {
      query: { limit: 1, sort: 'recorded_at:desc' },
      ...(signal === undefined ? {} : { signal }),
    });
    return data[0]?.id;
  }
}
