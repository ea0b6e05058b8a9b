import type { LightMyRequestResponse } from 'fastify';
import type { TestBridge } from '../support/bridge/test-bridge.ts';
import type { ApiRoute } from './api-routes.ts';
import { EXCEPTION_DATE, type Tenant } from './tenant-fixture.ts';

/** Path parameters whose values belong to no organization. */
const sharedParams: Readonly<Record<string, string>> = {
  action_id: 'open',
  signal_id: 'forced',
  digest: 'a'.repeat(64),
  date: EXCEPTION_DATE,
};

const kindOf = (param: string): string => param.replace(/_id$/, '');

const idFor = (route: ApiRoute, param: string, { ids }: Tenant): string => {
  const id = sharedParams[param] ?? ids[kindOf(param)];
  if (id === undefined) throw new Error(`Add a ${kindOf(param)} to test/security/tenant-fixture.ts for ${route.name}`);
  return id;
};

/** The params that can name an object of another organization. */
export const foreignParams = ({ params }: ApiRoute): readonly string[] =>
  params.filter(param => !Object.hasOwn(sharedParams, param));

/** The URL with objects of `own`, except for the params in `foreign`, which name objects of `other`. */
export const urlOf = (route: ApiRoute, own: Tenant, foreign: readonly string[] = [], other: Tenant = own): string =>
  `${route.prefix}${route.endpoint.path.replaceAll(/:([a-z_]+)/g, (_, param: string) =>
    encodeURIComponent(idFor(route, param, foreign.includes(param) ? other : own)),
  )}`;

/** Each name alone, and all together. */
export const foreignCombinationsOf = (names: readonly string[]): string[][] => [
  ...names.map(name => [name]),
  ...(names.length > 1 ? [[...names]] : []),
];

export const send = (
  { app }: TestBridge,
  { endpoint }: ApiRoute,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<LightMyRequestResponse> =>
  app.inject({
    method: endpoint.method,
    url,
    headers: { ...headers, ...(Buffer.isBuffer(body) ? { 'content-type': 'application/octet-stream' } : {}) },
    ...(body === undefined ? {} : { payload: body }),
  });

type Path = readonly (string | number)[];

/** Where the value contains one of the ids. */
export const idPathsIn = (value: unknown, ids: ReadonlySet<string>, path: Path = []): Path[] => {
  if (typeof value === 'string') return ids.has(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    idPathsIn(inner, ids, [...path, Array.isArray(value) ? Number(key) : key]),
  );
};

/** A copy with the id at the path replaced by the corresponding id of the other tenant. */
export const withForeignId = (body: object, path: Path, own: Tenant, other: Tenant): object => {
  const copy = structuredClone(body);
  const [last, ...parents] = path.toReversed();
  const holder = parents.reduceRight<Record<string | number, unknown>>(
    (inner, key) => inner[key] as Record<string | number, unknown>,
    copy as Record<string, unknown>,
  );
  const kind = Object.keys(own.ids).find(name => own.ids[name] === holder[last!])!;
  holder[last!] = other.ids[kind];
  return copy;
};

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

const SHORTEST = 6;

/** Finds data of one tenant in responses to another. */
export class ForeignData {
  readonly #strings: readonly string[];

  constructor(own: readonly unknown[], foreign: readonly unknown[], secrets: readonly string[]) {
    const known = new Set(own.flatMap(stringsIn));
    const all = [...foreign.flatMap(stringsIn), ...secrets];
    this.#strings = [...new Set(all)].filter(text => text.length >= SHORTEST && !known.has(text));
  }

  get count(): number {
    return this.#strings.length;
  }

  /** Errors may repeat what the request contained. */
  in(payload: string, request: string): string[] {
    return this.#strings.filter(text => payload.includes(text) && !request.includes(text));
  }
}
