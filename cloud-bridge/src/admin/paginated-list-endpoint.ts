import { isRepeated, isUnknownParameter, mustBeNumberBetween } from '@lintel/access-core/problem-texts';
import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import { createHash } from 'node:crypto';
import { findClosestName } from '@lintel/wire-protocol/schema-parts/closest-name';
import { listPageSchema } from '@lintel/wire-protocol/rest/list-page';
import type { ReferenceExpression, SelectQueryBuilder } from 'kysely';
import type * as z from 'zod';
import { createInvalidParameterError } from '../http/api-error.ts';
import { decodeCursor, encodeCursor } from '../queries/keyset-pagination.ts';
import type { ListPage } from '../queries/resource-reader.ts';
import type { AdminCaller } from './admin-caller.ts';
import { defineAdminEndpoint, type AdminEndpoint } from './admin-endpoint.ts';

const MAX_PAGE_SIZE = 100;

/** Descriptions of the query parameters that every list has, for the documentation. */
export const pageQueryParameterDescriptions: Readonly<Record<string, string>> = {
  limit: `Objects per page, 1 to ${MAX_PAGE_SIZE}`,
  cursor: 'cursor_next of the previous page; keep the other parameters unchanged',
};

type Query = Readonly<Record<string, unknown>>;

const limitOf = ({ limit }: Query): number => {
  if (limit === undefined) return MAX_PAGE_SIZE;
  const count = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > MAX_PAGE_SIZE)
    throw createInvalidParameterError('limit', mustBeNumberBetween('whole number', 1, MAX_PAGE_SIZE));
  return count;
};

const filtersOf = (query: Query, names: readonly string[]): Record<string, string> => {
  const { limit: _, cursor: __, ...others } = query;
  for (const [name, value] of Object.entries(others)) {
    if (!names.includes(name))
      throw createInvalidParameterError(name, isUnknownParameter(findClosestName(['limit', 'cursor', ...names], name)));
    if (typeof value !== 'string') throw createInvalidParameterError(name, isRepeated);
  }
  return others as Record<string, string>;
};

export interface PageRequest {
  /** Only rows with a lower id; null on the first page. */
  readonly before: string | null;
  /** One more than the page size, to detect whether another page follows. */
  readonly count: number;
  readonly filters: Readonly<Record<string, string>>;
}

interface Listing<R> {
  /** Identifies the list: a cursor is valid only for the list that issued it. */
  readonly name: string;
  readonly filters?: readonly string[];
  read(page: PageRequest): Promise<readonly R[]>;
  idOf(row: R): string;
  toObject(row: R): Record<string, unknown>;
}

/** One page of a list, by descending id, which is newest first. */
export const paginateById = async <R>(query: Query, listing: Listing<R>): Promise<ListPage> => {
  const limit = limitOf(query);
  const filters = filtersOf(query, listing.filters ?? []);
  const binding = createHash('sha256')
    .update(JSON.stringify([listing.name, filters]))
    .digest('base64url')
    .slice(0, 16);
  const { cursor } = query;
  if (cursor !== undefined && typeof cursor !== 'string') throw createInvalidParameterError('cursor', isRepeated);
  const before = cursor === undefined ? null : decodeCursor(binding, cursor, 'none').id;
  const rows = await listing.read({ before, count: limit + 1, filters });
  const shown = rows.slice(0, limit);
  const data = shown.map(row => listing.toObject(row));
  const last = shown.at(-1);
  if (rows.length <= limit || last === undefined) return { data, has_next: false };
  return { data, has_next: true, cursor_next: encodeCursor(binding, { value: null, id: listing.idOf(last) }) };
};

/** Fetches the rows of one page of the query, by descending id. */
export const fetchPageRows = <DB, T extends keyof DB, R>(
  query: SelectQueryBuilder<DB, T, R>,
  id: ReferenceExpression<DB, T>,
  { before, count }: PageRequest,
): Promise<R[]> => {
  const rows = query.orderBy(id, 'desc').limit(count);
  return (before === null ? rows : rows.where(id, '<', before as never)).execute();
};

interface ListDefinition<R> {
  readonly requiredPermission: AdminPermission;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Schema of one object of the list. */
  readonly response: z.ZodType;
  /** Identifies the list in its cursors. */
  readonly name: string;
  /** Query parameters in addition to those of paging, with their descriptions. */
  readonly filters?: Readonly<Record<string, string>>;
  readonly read: (caller: AdminCaller, page: PageRequest) => Promise<readonly R[]>;
  readonly idOf: (row: R) => string;
  readonly toObject: (row: R) => Record<string, unknown>;
}

/** An endpoint that lists objects of one organization, newest first. */
export const defineAdminListEndpoint = <R>(definition: ListDefinition<R>): AdminEndpoint => {
  const { response, name, filters = {}, read, idOf, toObject, ...description } = definition;
  return defineAdminEndpoint({
    ...description,
    method: 'GET',
    response: listPageSchema(response),
    query: { ...pageQueryParameterDescriptions, ...filters },
    handle: ({ caller, query }) =>
      paginateById(query, {
        name: `${name} of ${[caller.organizationId, ...(caller.siteIds ?? [])].join(' ')}`,
        filters: Object.keys(filters),
        read: page => read(caller, page),
        idOf,
        toObject,
      }),
  });
};
