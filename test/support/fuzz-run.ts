import type { EndpointDescription } from '@lintel/cloud-bridge/http/endpoint';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import * as fc from 'fast-check';
import type { BridgeWorld, OrganizationClient } from './bridge/bridge-world.ts';
import type { IdReference } from '../api/fuzz/from-schema.ts';
import { type FuzzedRequest, requestOf } from '../api/fuzz/requests.ts';

const isIdReference = (value: unknown): value is IdReference =>
  typeof value === 'object' && value !== null && 'idPrefix' in value;

interface Shown {
  /** Not everything that is listed has one. */
  readonly id?: string;
  readonly member_id?: string;
  readonly webhook_id?: string;
}

interface ShownAnswer extends Shown {
  readonly data?: readonly Shown[];
  readonly cursor_next?: string;
}

const MOST_IDS = 40;

/** Ids and cursors that the API has shown so far: later requests use them. */
class Seen {
  readonly #ids = new Map<string, string[]>();
  readonly #parents = new Map<string, string>();
  #cursor = 'none';

  learn(answer: ShownAnswer): void {
    for (const { id, ...shown } of answer.data ?? [answer]) {
      if (id === undefined) continue;
      const prefix = id.slice(0, id.indexOf('_') + 1);
      const known = this.#ids.get(prefix) ?? [];
      if (!known.includes(id)) this.#ids.set(prefix, [...known.slice(-MOST_IDS), id]);
      const parent = shown.member_id ?? shown.webhook_id;
      if (parent !== undefined) this.#parents.set(id, parent);
    }
    this.#cursor = answer.cursor_next ?? this.#cursor;
  }

  /** Some deleted objects stay in play. */
  forget(id: string): void {
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

  /** The segments of an address; an id below another mostly belongs to it. */
  fillPath(segments: readonly unknown[]): string[] {
    const filled = segments.map(part => this.fill(part));
    for (const [index, part] of segments.entries()) {
      const parent = isIdReference(part) && part.pick % 5 !== 0 ? this.parentOf(String(filled[index])) : undefined;
      if (parent !== undefined && isIdReference(segments[index - 2])) filled[index - 2] = parent;
    }
    return filled.map((part, index) => (isIdReference(segments[index]) ? encoded(part) : String(part)));
  }
}

/** Whether the address is of the endpoint it was made for, and not of another by some hostile segment. */
const isAtItsEndpoint = ({ endpoint, method, segments }: FuzzedRequest): boolean =>
  method === endpoint.method &&
  endpoint.path
    .split('/')
    .slice(1)
    .every((part, index) => (part.startsWith(':') ? usual(segments[index]) : segments[index] === part));

const usual = (param: unknown): boolean => typeof param !== 'string' || param === 'open' || param === 'virtual';

const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed());

export interface Tally {
  readonly byStatus: Map<number, number>;
  readonly succeeded: Set<string>;
}

const CONCURRENT = 40;

export class FuzzRun {
  readonly tally: Tally = { byStatus: new Map(), succeeded: new Set() };
  readonly #world: BridgeWorld;
  readonly #tokens: { valid: string; readOnly: string };
  readonly #seen = new Seen();
  readonly #base: string;

  constructor(world: BridgeWorld, writer: OrganizationClient, reader: OrganizationClient, base = '/v2') {
    this.#world = world;
    this.#base = base;
    this.#tokens = { valid: writer.token, readOnly: reader.token };
  }

  /** As many requests for each endpoint, in mixed order, several under way at a time. */
  async run(endpoints: readonly EndpointDescription[], perEndpoint: number, seed: number): Promise<void> {
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
    const path = this.#seen.fillPath(request.segments);
    const query = request.query.map(([name, value]) => `${encoded(name)}=${encoded(this.#seen.fill(value))}`);
    const url = `${this.#base}/${path.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`;
    const body = request.body === undefined ? undefined : JSON.stringify(this.#seen.fill(request.body));
    const answer = await this.#world.bridge.app.inject({
      method: request.method as 'GET',
      url,
      headers: this.#headers(request.headers),
      ...(body === undefined || request.method === 'GET' || request.method === 'HEAD' ? {} : { payload: body }),
    });
    this.#judge(request, `${request.method} ${url} ${body ?? ''}`, answer.statusCode, answer.payload);
  }

  #headers({ authorization, ...rest }: Readonly<Record<string, string>>): Record<string, string> {
    if (authorization === undefined) return rest;
    const known = { valid: this.#tokens.valid, 'read-only': this.#tokens.readOnly }[authorization];
    return { ...rest, authorization: known === undefined ? authorization : `Bearer ${known}` };
  }

  #judge(request: FuzzedRequest, asked: string, status: number, payload: string): void {
    this.tally.byStatus.set(status, (this.tally.byStatus.get(status) ?? 0) + 1);
    const fail = (what: string): never => {
      throw new Error(`${what}\n${asked.slice(0, 2000)}\n${status} ${payload.slice(0, 2000)}`);
    };
    const { endpoint } = request;
    if (request.method === 'HEAD') return;
    const answer = JSON.parse(payload) as ShownAnswer & { type?: unknown; message?: unknown; args?: unknown };
    if (status >= 200 && status < 300) {
      if (isAtItsEndpoint(request)) {
        const parsed = parseWith(endpoint.answer, answer);
        if (!parsed.ok) fail(`an answer that is not of its schema: ${JSON.stringify(parsed.problems[0])}`);
        this.tally.succeeded.add(`${endpoint.method} ${endpoint.path}`);
      }
      this.#seen.learn(answer);
      if (request.method === 'DELETE' && answer.id !== undefined) this.#seen.forget(answer.id);
      return;
    }
    if (typeof answer.type !== 'string' || typeof answer.message !== 'string') fail('an error without type or message');
    const args = Object.values(answer.args ?? { none: null });
    if (args.some(value => typeof value !== 'string')) fail('an error whose args are not texts');
    if (status >= 500 && answer.type !== 'hardware_offline') fail('a failure');
  }
}
