import { sql, type Kysely } from 'kysely';
import type { Engine } from '../engine.ts';

/** `?` marks a column that may be null. */
export type ColumnKind = 'text' | 'text?' | 'int' | 'int?' | 'flag' | 'flag?';

const typeOf = (kind: ColumnKind, engine: Engine): string => {
  const required = kind.endsWith('?') ? '' : ' not null';
  if (engine === 'sqlite') return (kind.startsWith('text') ? 'text' : 'integer') + required;
  // Collation "C" compares UTF-8 bytes, which is the order of code points, as SQLite's own.
  const base = kind.startsWith('text') ? 'text collate "C"' : kind.startsWith('flag') ? 'smallint' : 'bigint';
  return base + required;
};

export interface MigrationContext {
  readonly db: Kysely<unknown>;
  readonly engine: Engine;
}

export const createTable = async (
  { db, engine }: MigrationContext,
  name: string,
  columns: Readonly<Record<string, ColumnKind>>,
  primaryKey: string,
): Promise<void> => {
  const lines = Object.entries(columns).map(([column, kind]) => `"${column}" ${typeOf(kind, engine)}`);
  await sql.raw(`create table ${name} (${[...lines, `primary key (${primaryKey})`].join(', ')})`).execute(db);
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

/** A metadata value as an indexable expression. */
export const metadataValue = (engine: Engine, key: string): string =>
  engine === 'sqlite' ? `json_extract(metadata, '$."${key}"')` : `(metadata::jsonb ->> '${key}')`;
