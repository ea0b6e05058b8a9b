import { CompiledQuery, type Kysely } from 'kysely';
import type { CachedDatabase } from './cached-statements.ts';
import type { DatabaseEngine } from './database-engine.ts';
import type { SqlQuery } from './sql-fragment.ts';
import type { Database } from './schema.ts';
import type { SupervisedPool } from './supervised-pool.ts';

/** Runs composed SQL queries. */
export interface RowReader {
  readonly engine: DatabaseEngine;
  read<R>(query: SqlQuery): Promise<R[]>;
}

type OnQuery = ((sql: string) => void) | undefined;

export const createSqliteRowReader = (database: CachedDatabase, onQuery: OnQuery): RowReader => ({
  engine: 'sqlite',
  read: async <R>(query: SqlQuery) => {
    const text = query.textFor('sqlite');
    onQuery?.(text);
    return database.prepare(text).all(query.values) as R[];
  },
});

const MAX_NAMED_STATEMENTS = 500;
const PLAN_OUTDATED = '0A000';

/** Names statements, so that each connection parses and plans them once. */
const createStatementNamer = (): ((text: string) => string | undefined) => {
  const names = new Map<string, string>();
  return text => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_NAMED_STATEMENTS) return known;
    const name = `lintel_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
};

export const createPostgresRowReader = (pool: SupervisedPool, onQuery: OnQuery): RowReader => {
  const nameOf = createStatementNamer();
  return {
    engine: 'postgres',
    read: async <R>(query: SqlQuery) => {
      const text = query.textFor('postgres');
      const values = query.values as unknown[];
      onQuery?.(text);
      try {
        return (await pool.query({ name: nameOf(text), text, values })).rows as R[];
      } catch (error) {
        // A newer bridge has changed the table, so the cached plan is invalid.
        if ((error as { code?: string }).code !== PLAN_OUTDATED) throw error;
        return (await pool.query({ text, values })).rows as R[];
      }
    },
  };
};

/** Reads within a Kysely transaction. */
export const createTransactionRowReader = (db: Kysely<Database>, engine: DatabaseEngine): RowReader => ({
  engine,
  read: async <R>(query: SqlQuery) => {
    const { rows } = await db.executeQuery(CompiledQuery.raw(query.textFor(engine), [...query.values]));
    return rows as R[];
  },
});
