import { type Metadata, type MetadataPatch, mergeMetadata } from '@lintel/wire-protocol/rest/metadata';
import { sql } from 'kysely';
import { invalid, notFound, orThrow } from '../http/api-error.ts';
import type { Database } from '../storage/schema.ts';
import type { WriteContext } from './writer.ts';

/** The tables whose rows belong to an organization and have an id. */
export type OwnedTable = {
  [T in keyof Database]: Database[T] extends { id: string; organization_id: string | null } ? T : never;
}[keyof Database];

export const insertRow = async <T extends keyof Database>(
  { db }: WriteContext,
  table: T,
  row: Database[T],
): Promise<Database[T]> => {
  const entries = Object.entries(row as object);
  const columns = sql.join(entries.map(([column]) => sql.id(column)));
  const values = sql.join(entries.map(([, value]) => sql.val(value)));
  await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(db);
  return row;
};

export const findRow = async <T extends OwnedTable>(
  { db, organizationId }: WriteContext,
  table: T,
  id: string,
): Promise<Database[T] | undefined> => {
  const { rows } = await sql<Database[T]>`select * from ${sql.table(table)}
    where id = ${id} and organization_id = ${organizationId}`.execute(db);
  return rows[0];
};

/** The row that an address names: 404 when it is not there or is another organization's. */
export const requireRow = async <T extends OwnedTable>(
  context: WriteContext,
  table: T,
  what: string,
  id: string,
): Promise<Database[T]> => {
  const row = await findRow(context, table, id);
  if (row === undefined) throw notFound(what, id);
  return row;
};

/** The row that an address names, to be changed: a deleted one can still be read, but is 404 here. */
export const requireLivingRow = async <T extends OwnedTable>(
  context: WriteContext,
  table: T,
  what: string,
  id: string,
): Promise<Database[T]> => {
  const row = await requireRow(context, table, what, id);
  if ('is_deleted' in row && row.is_deleted === 1) throw notFound(what, id);
  return row;
};

/** The living row that a body refers to: 400 when there is none, naming the field. */
export const requireReference = async <T extends OwnedTable>(
  context: WriteContext,
  table: T,
  field: string,
  id: string,
): Promise<Database[T]> => {
  const row = await findRow(context, table, id);
  if (row === undefined || ('is_deleted' in row && row.is_deleted === 1)) {
    throw invalid(field, `${field}: there is no ${id}`, { id });
  }
  return row;
};

export const requireTags = async (context: WriteContext, tagIds: readonly string[]): Promise<void> => {
  for (const [index, id] of tagIds.entries()) await requireReference(context, 'tags', `tag_ids.${index}`, id);
};

export const mergedMetadata = (current: string, patch: MetadataPatch): string =>
  JSON.stringify(orThrow(mergeMetadata(JSON.parse(current) as Metadata, patch)));

/** Columns to write; those that are undefined stay as they are. */
export type Changes<T extends keyof Database> = {
  readonly [Column in keyof Database[T]]?: Database[T][Column] | undefined;
};

/** Writes what differs and answers the row as it is now; the same row when nothing does. */
export const updateRow = async <T extends OwnedTable>(
  { db }: WriteContext,
  table: T,
  row: Database[T],
  changes: Changes<T>,
): Promise<Database[T]> => {
  const differing = Object.entries(changes).filter(
    ([column, value]) => value !== undefined && value !== row[column as keyof Database[T]],
  );
  if (differing.length === 0) return row;
  const assignments = sql.join(differing.map(([column, value]) => sql`${sql.id(column)} = ${sql.val(value)}`));
  await sql`update ${sql.table(table)} set ${assignments} where id = ${row.id}`.execute(db);
  return { ...row, ...Object.fromEntries(differing) };
};
