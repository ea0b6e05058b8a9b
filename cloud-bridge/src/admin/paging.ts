import { createHash } from 'node:crypto';
import { pageOf } from '@lintel/wire-protocol/rest/list-page';
import type { ReferenceExpression, SelectQueryBuilder } from 'kysely';
import type * as z from 'zod';
import { invalid } from '../http/api-error.ts';
import { decodeCursor, encodeCursor } from '../queries/cursor.ts';
import type { Page } from '../queries/reader.ts';
import type { AdminCaller } from './admin-caller.ts';
import { adminEndpoint, type AdminEndpoint } from './admin-endpoint.ts';
import type { Permission } from '../accounts/role-permissions.ts';

const MOST = 100;

/** The query parameters of every list that is paged here, for the documentation. */
export const pageParameters: Readonly<Record<string, string>> = {
  limit: `Objects on a page, 1 to ${MOST}`,
  cursor: 'cursor_next of the page before; the other parameters stay the same',
};

type Query = Readonly<Record<string, unknown>>;

const limitOf = ({ limit }: Query): number => {
  if (limit === undefined) return MOST;
  const count = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > MOST) throw invalid('limit', `limit must be a whole number from 1 to ${MOST}`);
  return count;
};

const filtersOf = (query: Query, names: readonly string[]): Record<string, string> => {
  const { limit: _, cursor: __, ...others } = query;
  for (const [name, value] of Object.entries(others)) {
    if (!names.includes(name)) throw invalid(name, `unsupported parameter '${name}'`);
    if (typeof value !== 'string') throw invalid(name, `${name} must be given once`);
  }
  return others as Record<string, string>;
};

export interface PageRequest {
  /** Only what comes after this id, newest first; null on the first page. */
  readonly before: string | null;
  /** One more than is shown, to know whether there is more. */
  readonly count: number;
  readonly filters: Readonly<Record<string, string>>;
}

interface Listing<R> {
  /** Lists of different names or organizations do not take one another's cursors. */
  readonly name: string;
  readonly filters?: readonly string[];
  read(page: PageRequest): Promise<readonly R[]>;
  idOf(row: R): string;
  toObject(row: R): Record<string, unknown>;
}

/** A list by descending id, which is the newest first. */
export const pageById = async <R>(query: Query, listing: Listing<R>): Promise<Page> => {
  const limit = limitOf(query);
  const filters = filtersOf(query, listing.filters ?? []);
  const binding = createHash('sha256')
    .update(JSON.stringify([listing.name, filters]))
    .digest('base64url')
    .slice(0, 16);
  const { cursor } = query;
  if (cursor !== undefined && typeof cursor !== 'string') throw invalid('cursor', 'cursor must be given once');
  const before = cursor === undefined ? null : decodeCursor(binding, cursor, 'none').id;
  const rows = await listing.read({ before, count: limit + 1, filters });
  const shown = rows.slice(0, limit);
  const data = shown.map(row => listing.toObject(row));
  const last = shown.at(-1);
  if (rows.length <= limit || last === undefined) return { data, has_next: false };
  return { data, has_next: true, cursor_next: encodeCursor(binding, { value: null, id: listing.idOf(last) }) };
};

/** The rows of one page of the query, by descending id. */
export const pageRows = <DB, T extends keyof DB, R>(
  query: SelectQueryBuilder<DB, T, R>,
  id: ReferenceExpression<DB, T>,
  { before, count }: PageRequest,
): Promise<R[]> => {
  const rows = query.orderBy(id, 'desc').limit(count);
  return (before === null ? rows : rows.where(id, '<', before as never)).execute();
};

interface ListDefinition<R> {
  readonly needs: Permission;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Of one object of the list. */
  readonly answer: z.ZodType;
  /** In the plural, for the cursors. */
  readonly name: string;
  /** Query parameters beyond those of a page, each with what it is for. */
  readonly filters?: Readonly<Record<string, string>>;
  readonly read: (caller: AdminCaller, page: PageRequest) => Promise<readonly R[]>;
  readonly idOf: (row: R) => string;
  readonly toObject: (row: R) => Record<string, unknown>;
}

/** A list of one organization, newest first. */
export const adminList = <R>(definition: ListDefinition<R>): AdminEndpoint => {
  const { answer, name, filters = {}, read, idOf, toObject, ...description } = definition;
  return adminEndpoint({
    ...description,
    method: 'GET',
    answer: pageOf(answer),
    query: { ...pageParameters, ...filters },
    handle: ({ caller, query }) =>
      pageById(query, {
        name: `${name} of ${[caller.organizationId, ...(caller.siteIds ?? [])].join(' ')}`,
        filters: Object.keys(filters),
        read: page => read(caller, page),
        idOf,
        toObject,
      }),
  });
};
