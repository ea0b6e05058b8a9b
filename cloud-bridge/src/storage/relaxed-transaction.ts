import { type Kysely, sql } from 'kysely';
import type { Storage } from './open-storage.ts';
import type { Database } from './schema.ts';

const onSqlite = <T>(writer: Kysely<Database>, work: (db: Kysely<Database>) => Promise<T>): Promise<T> =>
  writer.connection().execute(async db => {
    await sql.raw('pragma synchronous = normal').execute(db);
    try {
      await sql.raw('begin immediate').execute(db);
      try {
        const value = await work(db);
        await sql.raw('commit').execute(db);
        return value;
      } catch (error) {
        await sql.raw('rollback').execute(db);
        throw error;
      }
    } finally {
      await sql.raw('pragma synchronous = full').execute(db);
    }
  });

/**
 * A transaction whose commit does not wait for the disk. The end of the process loses nothing of it; a power cut may take
 * back the last moments, never out of order. For what can be done again.
 */
export const relaxedTransaction = <T>(
  { engine, writer }: Storage,
  work: (db: Kysely<Database>) => Promise<T>,
): Promise<T> =>
  engine === 'sqlite'
    ? onSqlite(writer, work)
    : writer.transaction().execute(async db => {
        await sql.raw('set local synchronous_commit = off').execute(db);
        return work(db);
      });
