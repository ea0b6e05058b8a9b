import { hash } from 'node:crypto';
import type { ListQuery, Sort } from '@lintel/wire-protocol/rest/list-query';
import { invalid } from '../http/api-error.ts';
import { type Fragment, fragment, rawFragment } from '../storage/fragment.ts';
import type { Source } from './source.ts';

/** Where the next page begins: the last row's sort value and id. */
export interface Position {
  readonly value: string | number | null;
  readonly id: string;
}

/** A cursor means something only for the same question: endpoint, filters, search and sort. */
export const bindingOf = (endpoint: string, organizationId: string, { sort, filters, q }: ListQuery): string =>
  hash('sha256', JSON.stringify([endpoint, organizationId, sort, filters, q]), 'base64url').slice(0, 16);

export const encodeCursor = (binding: string, { value, id }: Position): string =>
  Buffer.from(JSON.stringify([binding, value, id])).toString('base64url');

const badCursor = () => invalid('cursor', 'The cursor is not one of this list with these filters and this sort');

/** What the column of a sort holds; `none` when the id alone is compared. */
export type SortValueType = 'text' | 'number' | 'none';

const storable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const isSortable = (value: unknown, type: SortValueType): boolean => {
  if (value === null) return true;
  if (type === 'number') return Number.isSafeInteger(value);
  return type === 'text' && typeof value === 'string' && storable(value);
};

/** A value of another type than the column's is refused: PostgreSQL would fail on it. */
export const decodeCursor = (binding: string, cursor: string, type: SortValueType): Position => {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw badCursor();
  }
  if (!Array.isArray(parts) || parts.length !== 3 || parts[0] !== binding) throw badCursor();
  const [, value, id] = parts as unknown[];
  if (!isSortable(value, type) || typeof id !== 'string' || !storable(id)) throw badCursor();
  return { value: value as Position['value'], id };
};

/** Nulls come before every value, ascending; after every value, descending. */
export const orderBy = (source: Source, { field, direction }: Sort, nullable: boolean): Fragment => {
  const column = source.column(field);
  const way = rawFragment(direction);
  if (field === 'id') return fragment`${column} ${way}`;
  const nulls = nullable ? rawFragment(direction === 'asc' ? ' nulls first' : ' nulls last') : fragment``;
  return fragment`${column} ${way}${nulls}, t.id ${way}`;
};

export const after = (source: Source, { field, direction }: Sort, nullable: boolean, at: Position) => {
  const column = source.column(field);
  const beyond = rawFragment(direction === 'asc' ? '>' : '<');
  if (field === 'id') return fragment`t.id ${beyond} ${at.id}`;
  if (!nullable) return fragment`(${column}, t.id) ${beyond} (${at.value}, ${at.id})`;
  const sameNull = fragment`(${column} is null and t.id ${beyond} ${at.id})`;
  if (at.value === null) return direction === 'asc' ? fragment`(${sameNull} or ${column} is not null)` : sameNull;
  const later = fragment`(${column}, t.id) ${beyond} (${at.value}, ${at.id})`;
  return direction === 'asc' ? later : fragment`(${later} or ${column} is null)`;
};
