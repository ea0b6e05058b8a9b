import { sql, type Kysely } from 'kysely';
import type { DatabaseEngine } from '../database-engine-type.ts';

/** `?` marks a nullable column. */
export type ColumnKind = 'text' | 'text?' | 'int' | 'int?' | 'flag' | 'flag?';

const typeOf = (kind: ColumnKind, engine: DatabaseEngine): string => {
  const required = kind.endsWith('?') ? '' : ' not null';
  if (engine === 'sqlite') return (kind.startsWith('text') ? 'text' : 'integer') + required;
  // Collation "C" sorts by code points, like SQLite.
  const base = kind.startsWith('text') ? 'text collate "C"' : kind.startsWith('flag') ? 'smallint' : 'bigint';
  return base + required;
};

export interface MigrationContext {
  readonly db: Kysely<unknown>;
  readonly engine: DatabaseEngine;
  readonly now: number;
}

/** `isClustered` stores the rows in the order of the key, for tables that are read by ranges of it. */
export const createTable = async (
  { db, engine }: MigrationContext,
  name: string,
  columns: Readonly<Record<string, ColumnKind>>,
  primaryKey: string,
  { isClustered = false } = {},
): Promise<void> => {
  const lines = Object.entries(columns).map(([column, kind]) => `"${column}" ${typeOf(kind, engine)}`);
  // PostgreSQL has no tables that are ordered by their key.
  const clustered = isClustered && engine === 'sqlite' ? ' without rowid' : '';
  await sql
    .raw(`create table ${name} (${[...lines, `primary key (${primaryKey})`].join(', ')})${clustered}`)
    .execute(db);
};

export const createIndex = async (
  { db }: MigrationContext,
  name: string,
  on: string,
  { unique = false, where = '' } = {},
): Promise<void> => {
  const condition = where === '' ? '' : ` where ${where}`;
  await sql.raw(`create ${unique ? 'unique ' : ''}index ${name} on ${on}${condition}`).execute(db);
};

/** SQL expression of a metadata value, for indexes. */
export const metadataValueSql = (engine: DatabaseEngine, key: string): string =>
  engine === 'sqlite' ? `json_extract(metadata, '$."${key}"')` : `(metadata::jsonb ->> '${key}')`;
