import { createRequestBodySchema, type DeclaredEndpoint } from '@lintel/cloud-bridge/testing';
import { idPrefixes } from '@lintel/access-core/ids';
import { getListFilterNames } from '@lintel/wire-protocol/rest/list-filter';
import { resourceDefinitions } from '@lintel/wire-protocol/rest/resource-definitions';
import * as fc from 'fast-check';
import { arbitraryFromSchema, idReference } from './schema-values.ts';
import { hostileJson, hostileSegment, hostileText } from './hostile-values.ts';
import { validBody } from './valid-bodies.ts';

/** A request with unresolved id references. */
export interface FuzzedRequest {
  readonly endpoint: DeclaredEndpoint;
  readonly method: string;
  /** Literal path segments, id references and hostile segments. */
  readonly segments: readonly unknown[];
  readonly query: ReadonlyArray<readonly [string, unknown]>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const often = <T>(usual: fc.Arbitrary<T>, weight: number, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare });

const prefixes = idPrefixes as Readonly<Record<string, string>>;

const segment = (part: string): fc.Arbitrary<unknown> => {
  if (!part.startsWith(':')) return often<unknown>(fc.constant(part), 60, hostileSegment);
  if (part === ':action_id') return often<unknown>(fc.constant('open'), 5, hostileSegment);
  const prefix = prefixes[part.slice(1).replace(/_id$/, '')];
  return often<unknown>(prefix === undefined ? fc.constant('virtual') : idReference(prefix), 6, hostileSegment);
};

const someTime = fc.constantFrom('2026-06-01T10:00:00Z', '2026-06-01T12:00:00.123456+02:00', '1969-12-31T23:59:59Z');

const queryParameter = ({ object, isList }: DeclaredEndpoint): fc.Arbitrary<[string, unknown]> => {
  const odd = fc.tuple(hostileText, hostileText) as fc.Arbitrary<[string, unknown]>;
  if (object === undefined) return odd;
  const { expands, fields, filters } = resourceDefinitions[object];
  const names = Object.keys(expands);
  const expand = fc
    .array(fc.constantFrom(...(names.length === 0 ? ['x'] : names), 'tags', 'site.gadgets', 'member.pins.member'), {
      maxLength: 4,
    })
    .map((chosen): [string, unknown] => ['expand', chosen.join(',')]);
  if (isList !== true) return fc.oneof(expand, odd);
  const filter = fc
    .constantFrom(
      'id',
      ...getListFilterNames(object),
      ...(filters['metadata'] === undefined ? [] : ['metadata.source', 'metadata.é']),
    )
    .chain(name => {
      const values: fc.Arbitrary<unknown> = name.includes(':')
        ? someTime
        : name === 'is_deleted'
          ? fc.constantFrom('any', 'true', 'false')
          : idReference(prefixes[name.replace(/^\w+\./, '').replace(/_id$/, '')] ?? 'mem_');
      return fc.tuple(fc.constant(name), often<unknown>(values, 4, hostileText));
    });
  const sort = fc
    .tuple(fc.constantFrom(...Object.keys(fields)), fc.constantFrom('asc', 'desc'))
    .map(([field, direction]): [string, unknown] => ['sort', `${field}:${direction}`]);
  const limit = often<unknown>(fc.integer({ min: 1, max: 100 }).map(String), 4, hostileText).map(
    (value): [string, unknown] => ['limit', value],
  );
  const cursor = fc
    .oneof(hostileText, fc.constant({ cursor: true }))
    .map((value): [string, unknown] => ['cursor', value]);
  const q = hostileText.map((value): [string, unknown] => ['q', value]);
  return fc.oneof(expand, filter, sort, limit, cursor, q, odd);
};

const headers: fc.Arbitrary<Record<string, string>> = fc
  .record({
    authorization: often(
      fc.constant('valid'),
      80,
      fc.constantFrom('', 'Bearer', 'Bearer key_1', 'Basic eDp5', 'read-only'),
    ),
    'content-type': often(fc.constant('application/json'), 40, fc.constantFrom('text/plain', 'application/json;x', '')),
    'idempotency-key': often(
      fc.constant(''),
      6,
      fc.oneof(fc.integer({ min: 0, max: 200 }).map(String), fc.constantFrom('x'.repeat(300), 'k')),
    ),
    'user-agent': often(fc.constant('fuzz'), 20, fc.string({ maxLength: 600 })),
  })
  .map(all => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')));

const bodies = ({ method, path, body }: DeclaredEndpoint): fc.Arbitrary<unknown> => {
  if (body === undefined) return often<unknown>(fc.constant(undefined), 8, hostileJson);
  return fc.oneof(
    { weight: 5, arbitrary: validBody(method, path) },
    { weight: 6, arbitrary: arbitraryFromSchema(createRequestBodySchema(body)) },
    { weight: 1, arbitrary: hostileJson },
  );
};

export const requestOf = (endpoint: DeclaredEndpoint): fc.Arbitrary<FuzzedRequest> =>
  fc.record({
    endpoint: fc.constant(endpoint),
    method: often(
      fc.constant(endpoint.method as string),
      40,
      fc.constantFrom('PUT', 'OPTIONS', 'HEAD', 'GET', 'DELETE'),
    ),
    segments: fc.tuple(...endpoint.path.split('/').slice(1).map(segment)),
    query: often<Array<[string, unknown]>>(fc.constant([]), 1, fc.array(queryParameter(endpoint), { maxLength: 4 })),
    headers,
    body: bodies(endpoint),
  });
