import type SqliteDatabase from 'better-sqlite3';
import type { SqliteDatabase as CachedDatabase, SqliteStatement } from 'kysely';

export type { CachedDatabase };

const MAX_CACHED_STATEMENTS = 500;

/** Prepares each SQL text once, while Kysely would prepare it for every execution. */
export const withCachedStatements = (database: SqliteDatabase.Database): CachedDatabase => {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare: sql => {
      // A pragma may take effect when it is prepared, so it must not be cached.
      if (sql.startsWith('pragma ')) return database.prepare(sql);
      // A full disk ends the transaction itself. The error of a second rollback would hide why.
      if (sql === 'rollback' && !database.inTransaction) return database.prepare('select 1');
      let statement = statements.get(sql);
      if (statement !== undefined) return statement;
      // Clears the whole cache, because tracking the oldest statement would slow down every request.
      if (statements.size >= MAX_CACHED_STATEMENTS) statements.clear();
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
