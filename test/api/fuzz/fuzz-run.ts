import type { DeclaredEndpoint } from '@lintel/cloud-bridge/testing';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import * as fc from 'fast-check';
import type { TestBridge, TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import type { IdReference } from './schema-values.ts';
import { type FuzzedRequest, requestOf } from './fuzzed-requests.ts';

const isIdReference = (value: unknown): value is IdReference =>
  typeof value === 'object' && value !== null && 'idPrefix' in value;

interface ListedObject {
  /** Some listed objects have no id. */
  readonly id?: string;
  readonly member_id?: string;
  readonly webhook_id?: string;
}

interface ResponseBody extends ListedObject {
  readonly data?: readonly ListedObject[];
  readonly cursor_next?: string;
}

/** Per id prefix. */
const MAX_IDS = 40;

/** Ids and cursors from earlier responses, for use in later requests. */
class KnownValues {
  readonly #ids = new Map<string, string[]>();
  readonly #parents = new Map<string, string>();
  #cursor = 'none';

  add(answer: ResponseBody): void {
    for (const { id, ...shown } of answer.data ?? [answer]) {
      if (id === undefined) continue;
      const prefix = id.slice(0, id.indexOf('_') + 1);
      const known = this.#ids.get(prefix) ?? [];
      if (!known.includes(id)) this.#ids.set(prefix, [...known.slice(-MAX_IDS), id]);
      const parent = shown.member_id ?? shown.webhook_id;
      if (parent !== undefined) this.#parents.set(id, parent);
    }
    this.#cursor = answer.cursor_next ?? this.#cursor;
  }

  /** Keeps some ids of deleted objects, so that later requests use those too. */
  remove(id: string): void {
    const prefix = id.slice(0, id.indexOf('_') + 1);
    const known = this.#ids.get(prefix) ?? [];
    if (known.length % 5 !== 0)
      this.#ids.set(
        prefix,
        known.filter(one => one !== id),
      );
  }

  parentOf(id: string): string | undefined {
    return this.#parents.get(id);
  }

  fill(value: unknown): unknown {
    if (isIdReference(value)) {
      const known = this.#ids.get(value.idPrefix) ?? [];
      return known[value.pick % known.length] ?? `${value.idPrefix}00000000000000000000000000`;
    }
    if (Array.isArray(value)) return value.map(one => this.fill(one));
    if (typeof value !== 'object' || value === null) return value;
    if ('cursor' in value) return this.#cursor;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.fill(inner)]));
  }

  /** The path segments. In most requests a nested id belongs to the parent id before it. */
  fillPath(segments: readonly unknown[]): string[] {
    const filled = segments.map(part => this.fill(part));
    for (const [index, part] of segments.entries()) {
      const parent = isIdReference(part) && part.pick % 5 !== 0 ? this.parentOf(String(filled[index])) : undefined;
      if (parent !== undefined && isIdReference(segments[index - 2])) filled[index - 2] = parent;
    }
    return filled.map((part, index) => (isIdReference(segments[index]) ? encode(part) : String(part)));
  }
}

/** False when a hostile method or segment makes the request match another endpoint. */
const matchesEndpoint = ({ endpoint, method, segments }: FuzzedRequest): boolean =>
  method === endpoint.method &&
  endpoint.path
    .split('/')
    .slice(1)
    .every((part, index) => (part.startsWith(':') ? isUsualSegment(segments[index]) : segments[index] === part));

const isUsualSegment = (param: unknown): boolean =>
  typeof param !== 'string' || param === 'open' || param === 'virtual';

const encode = (value: unknown): string => encodeURIComponent(String(value).toWellFormed());

/** Requests that never succeed test nothing behind the validation. */
export interface FuzzCoverage {
  readonly statuses: readonly number[];
  /** Of the endpoints, from 0 to 1. */
  readonly succeeded: number;
}

const CONCURRENT = 40;
const MAX_EXTRA_ROUNDS = 60;

/** Sends generated requests to a bridge and checks the form of every response. */
export class FuzzRun {
  readonly #statuses = new Set<number>();
  readonly #succeeded = new Set<string>();
  readonly #bridge: TestBridge;
  readonly #tokens: { valid: string; readOnly: string };
  readonly #known = new KnownValues();
  readonly #base: string;

  constructor(bridge: TestBridge, writer: TestOrganizationClient, reader: TestOrganizationClient, base = '/v2') {
    this.#bridge = bridge;
    this.#base = base;
    this.#tokens = { valid: writer.token, readOnly: reader.token };
  }

  /** Ids of existing objects, so that requests for them can succeed from the start. */
  addIds(...ids: readonly string[]): void {
    for (const id of ids) this.#known.add({ id });
  }

  /**
   * Sends `perEndpoint` requests to each endpoint. How much they cover depends on the seed, so it then sends more until
   * they cover what the caller requires. Returns what is missing after many more.
   */
  async run(
    endpoints: readonly DeclaredEndpoint[],
    perEndpoint: number,
    seed: number,
    required: FuzzCoverage,
  ): Promise<readonly string[]> {
    await this.#sendToEach(endpoints, perEndpoint, seed);
    for (let round = 1; this.#missing(endpoints, required).length > 0 && round <= MAX_EXTRA_ROUNDS; round++)
      await this.#sendToEach(endpoints, Math.ceil(perEndpoint / 5), seed + round * endpoints.length);
    return this.#missing(endpoints, required);
  }

  #missing(endpoints: readonly DeclaredEndpoint[], required: FuzzCoverage): readonly string[] {
    const unreached = endpoints
      .map(({ method, path }) => `${method} ${path}`)
      .filter(name => !this.#succeeded.has(name));
    return [
      ...required.statuses.filter(status => !this.#statuses.has(status)).map(status => `a response with ${status}`),
      ...unreached.slice((1 - required.succeeded) * endpoints.length),
    ];
  }

  /** Interleaved and concurrently. */
  async #sendToEach(endpoints: readonly DeclaredEndpoint[], perEndpoint: number, seed: number): Promise<void> {
    const requests = endpoints.flatMap((endpoint, index) =>
      fc.sample(requestOf(endpoint), { numRuns: perEndpoint, seed: seed + index }),
    );
    const mixed = Array.from({ length: perEndpoint }, (_, round) =>
      endpoints.map((_, index) => requests[index * perEndpoint + round]!),
    ).flat();
    const queue = mixed.values();
    const sendAll = async (): Promise<void> => {
      for (const request of queue) await this.#send(request);
    };
    await Promise.all(Array.from({ length: CONCURRENT }, sendAll));
  }

  async #send(request: FuzzedRequest): Promise<void> {
    const path = this.#known.fillPath(request.segments);
    const query = request.query.map(([name, value]) => `${encode(name)}=${encode(this.#known.fill(value))}`);
    const url = `${this.#base}/${path.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`;
    const body = request.body === undefined ? undefined : JSON.stringify(this.#known.fill(request.body));
    const response = await this.#bridge.app.inject({
      method: request.method as 'GET',
      url,
      headers: this.#headers(request.headers),
      ...(body === undefined || request.method === 'GET' || request.method === 'HEAD' ? {} : { payload: body }),
    });
    this.#check(request, `${request.method} ${url} ${body ?? ''}`, response.statusCode, response.payload);
  }

  #headers({ authorization, ...rest }: Readonly<Record<string, string>>): Record<string, string> {
    if (authorization === undefined) return rest;
    const known = { valid: this.#tokens.valid, 'read-only': this.#tokens.readOnly }[authorization];
    return { ...rest, authorization: known === undefined ? authorization : `Bearer ${known}` };
  }

  #check(request: FuzzedRequest, sent: string, status: number, payload: string): void {
    this.#statuses.add(status);
    const fail = (problem: string): never => {
      throw new Error(`${problem}\n${sent.slice(0, 2000)}\n${status} ${payload.slice(0, 2000)}`);
    };
    const { endpoint } = request;
    if (request.method === 'HEAD') return;
    const answer = JSON.parse(payload) as ResponseBody & { type?: unknown; message?: unknown; args?: unknown };
    if (status >= 200 && status < 300) {
      if (matchesEndpoint(request)) {
        const parsed = parseWithSchema(endpoint.response, answer);
        if (!parsed.ok) fail(`Response does not match its schema: ${JSON.stringify(parsed.problems[0])}`);
        this.#succeeded.add(`${endpoint.method} ${endpoint.path}`);
      }
      this.#known.add(answer);
      if (request.method === 'DELETE' && answer.id !== undefined) this.#known.remove(answer.id);
      return;
    }
    if (typeof answer.type !== 'string' || typeof answer.message !== 'string')
      fail('Error response without type or message');
    const args = Object.values(answer.args ?? { none: null });
    if (args.some(value => typeof value !== 'string')) fail('Error response with args that are not strings');
    if (status >= 500 && answer.type !== 'hardware_offline') fail('Internal error');
  }
}
