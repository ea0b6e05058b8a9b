import { hash } from 'node:crypto';
import type { Log } from '@lintel/service/log-function-type';
import { CompiledQuery, type Kysely } from 'kysely';
import type { CachedDatabase } from './cached-statements.ts';
import type { DatabaseEngine } from './database-engine-type.ts';
import type { SqlQuery } from './sql-fragment.ts';
import type { Database } from './schema.ts';
import type { SupervisedPostgresPool } from './supervised-postgres-pool.ts';

/** Runs composed SQL queries. */
export interface SqlQueryRunner {
  readonly engine: DatabaseEngine;
  read<R>(query: SqlQuery): Promise<R[]>;
}

type OnQuery = ((sql: string) => void) | undefined;

export const createSqliteQueryRunner = (database: CachedDatabase, onQuery: OnQuery): SqlQueryRunner => ({
  engine: 'sqlite',
  read: async <R>(query: SqlQuery) => {
    const text = query.textFor('sqlite');
    onQuery?.(text);
    return database.prepare(text).all(query.values) as R[];
  },
});

const MAX_NAMED_STATEMENTS = 500;
const PLAN_OUTDATED = '0A000';
const STATEMENT_EXISTS = '42P05';
const STATEMENT_UNKNOWN = '26000';

/**
 * Names statements, so that each connection parses and plans them once. A name is the hash of its statement: behind a
 * connection pooler, the name of another bridge must not stand for another statement.
 */
const createStatementNamer = (): ((text: string) => string | undefined) => {
  const names = new Map<string, string>();
  return text => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_NAMED_STATEMENTS) return known;
    const name = `lintel_${hash('sha256', text).slice(0, 32)}`;
    names.set(text, name);
    return name;
  };
};

export const createPostgresQueryRunner = (pool: SupervisedPostgresPool, onQuery: OnQuery, log: Log): SqlQueryRunner => {
  const nameOf = createStatementNamer();
  let usesNames = true;
  /** A connection pooler runs each transaction on another connection, which does not know the names. */
  const stopNaming = (): void => {
    if (usesNames)
      log('info', 'The database is behind a connection pooler in transaction mode: named statements are off');
    usesNames = false;
  };
  return {
    engine: 'postgres',
    read: async <R>(query: SqlQuery) => {
      const text = query.textFor('postgres');
      const values = query.values as unknown[];
      onQuery?.(text);
      try {
        return (await pool.query({ name: usesNames ? nameOf(text) : undefined, text, values })).rows as R[];
      } catch (error) {
        const { code } = error as { code?: string };
        if (code === STATEMENT_EXISTS || code === STATEMENT_UNKNOWN) stopNaming();
        // A newer bridge has changed the table, so the cached plan is invalid.
        else if (code !== PLAN_OUTDATED) throw error;
        return (await pool.query({ text, values })).rows as R[];
      }
    },
  };
};

/** Reads within a Kysely transaction. */
export const createTransactionQueryRunner = (db: Kysely<Database>, engine: DatabaseEngine): SqlQueryRunner => ({
  engine,
  read: async <R>(query: SqlQuery) => {
    const { rows } = await db.executeQuery(CompiledQuery.raw(query.textFor(engine), [...query.values]));
    return rows as R[];
  },
});
