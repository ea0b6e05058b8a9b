import { openSqlite } from '@lintel/service/sqlite/open-sqlite';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { expect, it } from 'vitest';
import { withCachedStatements } from './cached-statements.ts';

it('reports why a transaction failed when the database ended it itself', async () => {
  const database = openSqlite(':memory:');
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: withCachedStatements(database) }) });
  await sql`create table rows (content text)`.execute(db);
  database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true }) as number}`);
  const write = db.transaction().execute(async transaction => {
    for (let row = 0; row < 100; row++)
      await sql`insert into rows (content) values (${'x'.repeat(1000)})`.execute(transaction);
  });
  await expect(write).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  await db.destroy();
});
