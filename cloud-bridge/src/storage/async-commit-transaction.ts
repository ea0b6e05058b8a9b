import { type Kysely, sql } from 'kysely';
import type { Storage } from './open-storage.ts';
import { rollBack } from './roll-back.ts';
import type { Database } from './schema.ts';

const runOnSqlite = <T>(writer: Kysely<Database>, work: (db: Kysely<Database>) => Promise<T>): Promise<T> =>
  writer.connection().execute(async db => {
    await sql.raw('pragma synchronous = normal').execute(db);
    try {
      await sql.raw('begin immediate').execute(db);
      try {
        const value = await work(db);
        await sql.raw('commit').execute(db);
        return value;
      } catch (error) {
        await rollBack(db);
        throw error;
      }
    } finally {
      await sql.raw('pragma synchronous = full').execute(db);
    }
  });

/**
 * Runs a transaction whose commit does not wait for the disk. A crash of the process loses nothing. A power cut may lose
 * the last commits, in order. Use only for work that can be repeated.
 */
export const runAsyncCommitTransaction = <T>(
  { engine, writer }: Storage,
  work: (db: Kysely<Database>) => Promise<T>,
): Promise<T> =>
  engine === 'sqlite'
    ? runOnSqlite(writer, work)
    : writer.transaction().execute(async db => {
        await sql.raw('set local synchronous_commit = off').execute(db);
        return work(db);
      });
