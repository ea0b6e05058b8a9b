import { hash } from 'node:crypto';
import type { ListQuery, ListSort } from '@lintel/wire-protocol/rest/list-query';
import { createInvalidParameterError } from '../http/api-error.ts';
import { type SqlFragment, sqlFragment, rawSql } from '../storage/sql-fragment.ts';
import type { ResourceTableMapping } from './resource-table-mappings.ts';

/** Sort value and id of the last row of a page. The next page begins after it. */
export interface CursorPosition {
  readonly value: string | number | null;
  readonly id: string;
}

/** A cursor is valid only for the same endpoint, filters, search and sort. */
export const computeQueryFingerprint = (
  endpoint: string,
  organizationId: string,
  { sort, filters, q }: ListQuery,
): string => hash('sha256', JSON.stringify([endpoint, organizationId, sort, filters, q]), 'base64url').slice(0, 16);

export const encodeCursor = (fingerprint: string, { value, id }: CursorPosition): string =>
  Buffer.from(JSON.stringify([fingerprint, value, id])).toString('base64url');

const invalidCursor = () =>
  createInvalidParameterError(
    'cursor',
    "must be the 'cursor_next' of a page of this list with the same filters and the same sort",
  );

/** Type of the sort column; `none` when sorting by id alone. */
export type SortValueType = 'text' | 'number' | 'none';

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const isSortable = (value: unknown, type: SortValueType): boolean => {
  if (value === null) return true;
  if (type === 'number') return Number.isSafeInteger(value);
  return type === 'text' && typeof value === 'string' && isStorable(value);
};

/** Rejects a value of another type than the column's, because PostgreSQL would fail. */
export const decodeCursor = (fingerprint: string, cursor: string, type: SortValueType): CursorPosition => {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw invalidCursor();
  }
  if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== fingerprint) throw invalidCursor();
  const [, value, id] = parts as unknown[];
  if (!isSortable(value, type) || typeof id !== 'string' || !isStorable(id)) throw invalidCursor();
  return { value: value as CursorPosition['value'], id };
};

/** Nulls sort first when ascending and last when descending. */
export const buildOrderByClause = (
  mapping: ResourceTableMapping,
  { field, direction }: ListSort,
  nullable: boolean,
): SqlFragment => {
  const column = mapping.column(field);
  const order = rawSql(direction);
  if (field === 'id') return sqlFragment`${column} ${order}`;
  const nulls = nullable ? rawSql(direction === 'asc' ? ' nulls first' : ' nulls last') : sqlFragment``;
  return sqlFragment`${column} ${order}${nulls}, t.id ${order}`;
};

export const buildAfterCursorCondition = (
  mapping: ResourceTableMapping,
  { field, direction }: ListSort,
  nullable: boolean,
  position: CursorPosition,
) => {
  const column = mapping.column(field);
  const operator = rawSql(direction === 'asc' ? '>' : '<');
  if (field === 'id') return sqlFragment`t.id ${operator} ${position.id}`;
  if (!nullable) return sqlFragment`(${column}, t.id) ${operator} (${position.value}, ${position.id})`;
  const laterNull = sqlFragment`(${column} is null and t.id ${operator} ${position.id})`;
  if (position.value === null)
    return direction === 'asc' ? sqlFragment`(${laterNull} or ${column} is not null)` : laterNull;
  const laterValue = sqlFragment`(${column}, t.id) ${operator} (${position.value}, ${position.id})`;
  return direction === 'asc' ? laterValue : sqlFragment`(${laterValue} or ${column} is null)`;
};
