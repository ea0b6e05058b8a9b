import type SqliteDatabase from 'better-sqlite3';
import type { SqliteDatabase as CachedDatabase, SqliteStatement } from 'kysely';

export type { CachedDatabase };

const MOST_STATEMENTS = 500;

/** A database that prepares each text of SQL once, where Kysely would do so for every execution. */
export const withCachedStatements = (database: SqliteDatabase.Database): CachedDatabase => {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare: sql => {
      // A pragma may take effect when it is prepared: kept, it would do so only once.
      if (sql.startsWith('pragma ')) return database.prepare(sql);
      let statement = statements.get(sql);
      if (statement !== undefined) return statement;
      // Those in use are back at once; keeping track of the oldest would cost every request something.
      if (statements.size >= MOST_STATEMENTS) statements.clear();
      statement = database.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    close: () => {
      statements.clear();
      database.close();
    },
  };
};
