import { CompiledQuery, type Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { CachedDatabase } from './cached-statements.ts';
import type { Engine } from './engine.ts';
import type { Query } from './fragment.ts';
import type { Database } from './schema.ts';

/** Rows for a query that is put together already. */
export interface RowReader {
  readonly engine: Engine;
  read<R>(query: Query): Promise<R[]>;
}

type OnQuery = ((sql: string) => void) | undefined;

export const rowsOfSqlite = (database: CachedDatabase, onQuery: OnQuery): RowReader => ({
  engine: 'sqlite',
  read: async <R>(query: Query) => {
    const text = query.textFor('sqlite');
    onQuery?.(text);
    return database.prepare(text).all(query.values) as R[];
  },
});

const MOST_NAMED = 500;
const PLAN_OUTDATED = '0A000';

/** A named statement is parsed and planned once for each connection. */
const statementNames = (): ((text: string) => string | undefined) => {
  const names = new Map<string, string>();
  return text => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MOST_NAMED) return known;
    const name = `lintel_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
};

export const rowsOfPool = (pool: Pool, onQuery: OnQuery): RowReader => {
  const nameOf = statementNames();
  return {
    engine: 'postgres',
    read: async <R>(query: Query) => {
      const text = query.textFor('postgres');
      const values = query.values as unknown[];
      onQuery?.(text);
      try {
        return (await pool.query({ name: nameOf(text), text, values })).rows as R[];
      } catch (error) {
        // A newer bridge has changed the table under the plan of this connection.
        if ((error as { code?: string }).code !== PLAN_OUTDATED) throw error;
        return (await pool.query(text, values)).rows as R[];
      }
    },
  };
};

/** Through a connection of a query builder: inside its transaction. */
export const rowsThrough = (db: Kysely<Database>, engine: Engine): RowReader => ({
  engine,
  read: async <R>(query: Query) => {
    const { rows } = await db.executeQuery(CompiledQuery.raw(query.textFor(engine), [...query.values]));
    return rows as R[];
  },
});
