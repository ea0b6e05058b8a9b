import { type Metadata, type MetadataPatch, mergeMetadata } from '@lintel/wire-protocol/rest/metadata-and-tags';
import { sql } from 'kysely';
import { createNotFoundError, unwrapOrThrow, createUnknownReferenceError, checkAll } from '../http/api-error.ts';
import type { Database } from '../storage/schema.ts';
import type { WriteContext } from './organization-writer.ts';

/** Tables whose rows have an id and belong to an organization. */
export type OrganizationTableName = {
  [T in keyof Database]: Database[T] extends { id: string; organization_id: string | null } ? T : never;
}[keyof Database];

export const insertRow = async <T extends keyof Database>(
  context: WriteContext,
  table: T,
  row: Database[T],
): Promise<Database[T]> => {
  await context.insert(table, row);
  return row;
};

export const findRow = async <T extends OrganizationTableName>(
  { db, organizationId }: Pick<WriteContext, 'db' | 'organizationId'>,
  table: T,
  id: string,
): Promise<Database[T] | undefined> => {
  const { rows } = await sql<Database[T]>`select * from ${sql.table(table)}
    where id = ${id} and organization_id = ${organizationId}`.execute(db);
  return rows[0];
};

/** Throws 404 when the row does not exist or belongs to another organization. */
export const requireRow = async <T extends OrganizationTableName>(
  context: WriteContext,
  table: T,
  type: string,
  id: string,
): Promise<Database[T]> => {
  const row = await findRow(context, table, id);
  if (row === undefined) throw createNotFoundError(type, id);
  return row;
};

/** Like `requireRow`, but also throws 404 for a deleted row. For writes. */
export const requireActiveRow = async <T extends OrganizationTableName>(
  context: WriteContext,
  table: T,
  type: string,
  id: string,
): Promise<Database[T]> => {
  const row = await requireRow(context, table, type, id);
  if ('is_deleted' in row && row.is_deleted === 1) throw createNotFoundError(type, id);
  return row;
};

/** Finds a row that a request body refers to. Throws 400 with the field when it is missing or deleted. */
export const requireReferencedRow = async <T extends OrganizationTableName>(
  context: Pick<WriteContext, 'db' | 'organizationId'>,
  table: T,
  field: string,
  id: string,
): Promise<Database[T]> => {
  const row = await findRow(context, table, id);
  if (row === undefined || ('is_deleted' in row && row.is_deleted === 1)) {
    throw createUnknownReferenceError(field, id);
  }
  return row;
};

/** PostgreSQL and SQLite limit the number of parameters. */
const IDS_PER_QUERY = 500;

/** Like `requireReferencedRow`, for a list of ids. One error names all that do not exist. */
export const requireReferencedRows = async <T extends OrganizationTableName>(
  { db, organizationId }: Pick<WriteContext, 'db' | 'organizationId'>,
  table: T,
  field: string,
  ids: readonly string[],
): Promise<void> => {
  const known = new Set<string>();
  for (let from = 0; from < ids.length; from += IDS_PER_QUERY) {
    const { rows } = await sql<{ id: string; is_deleted?: number }>`select * from ${sql.table(table)}
      where organization_id = ${organizationId} and id in (${sql.join(ids.slice(from, from + IDS_PER_QUERY))})`.execute(
      db,
    );
    for (const row of rows) if (row.is_deleted !== 1) known.add(row.id);
  }
  await checkAll(
    ids.map((id, index) => () => {
      if (!known.has(id)) throw createUnknownReferenceError(`${field}.${index}`, id);
    }),
  );
};

export const requireExistingTags = async (context: WriteContext, tagIds: readonly string[]): Promise<void> => {
  if (tagIds.length > 0) await requireReferencedRows(context, 'tags', 'tag_ids', tagIds);
};

export const mergeStoredMetadata = (current: string, patch: MetadataPatch): string =>
  JSON.stringify(unwrapOrThrow(mergeMetadata(JSON.parse(current) as Metadata, patch)));

/** Columns to write. Undefined columns stay unchanged. */
export type RowChanges<T extends keyof Database> = {
  readonly [Column in keyof Database[T]]?: Database[T][Column] | undefined;
};

/** Writes the columns that differ and returns the new row, or the given row when nothing differs. */
export const updateRow = async <T extends OrganizationTableName>(
  { db }: WriteContext,
  table: T,
  row: Database[T],
  changes: RowChanges<T>,
): Promise<Database[T]> => {
  const differing = Object.entries(changes).filter(
    ([column, value]) => value !== undefined && value !== row[column as keyof Database[T]],
  );
  if (differing.length === 0) return row;
  const assignments = sql.join(differing.map(([column, value]) => sql`${sql.id(column)} = ${sql.val(value)}`));
  await sql`update ${sql.table(table)} set ${assignments} where id = ${row.id}`.execute(db);
  return { ...row, ...Object.fromEntries(differing) };
};
