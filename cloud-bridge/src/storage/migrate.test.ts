import { mkdtempSync, rmSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@lintel/service/sqlite/open-sqlite';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createInitialTables } from './migrations/0001-first-tables.ts';
import { openStorage } from './open-storage.ts';

const opened = async (dataDir: string) => openStorage({ dataDir, now: 1 });

/** A database with the first migration only. */
const firstVersion = async (dataDir: string): Promise<Kysely<unknown>> => {
  const database = openSqlite(join(dataDir, 'bridge.sqlite'));
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  await createInitialTables({ db, engine: 'sqlite', now: 1 });
  await sql`create table schema_migrations (name text primary key, applied_at bigint not null)`.execute(db);
  await sql`insert into schema_migrations values ('0001-first-tables', 0)`.execute(db);
  return db;
};

describe('migrateDatabase', () => {
  it('upgrades a database of the first version and keeps its data', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-migrate-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const before = await firstVersion(dataDir);
    await sql`insert into products (id, name, capabilities, revision_id) values ('old', 'Old', '{}', '1')`.execute(
      before,
    );
    await before.destroy();
    const after = await opened(dataDir);
    expect(await after.reader.selectFrom('organization_products').selectAll().execute()).toEqual([]);
    expect(await after.reader.selectFrom('products').select('id').execute()).toEqual([{ id: 'old' }]);
    await after.close();
  });

  it('gives events of technician passes their own object type', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-migrate-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const before = await firstVersion(dataDir);
    for (const [id, reason] of [
      ['evt_pass', 'technician_pass'],
      ['evt_site', null],
    ]) {
      await sql`insert into events (id, organization_id, created_at, recorded_at, verb, reason, object_type, object_site_id)
        values (${id}, 'org_1', 1, ${reason === null ? 1 : 2}, 'create', ${reason}, 'site', 'site_1')`.execute(before);
    }
    await before.destroy();
    const after = await opened(dataDir);
    const columns = ['id', 'object_type', 'reason', 'object_site_id'] as const;
    expect(await after.reader.selectFrom('events').select(columns).orderBy('id').execute()).toEqual([
      { id: 'evt_pass', object_type: 'technician_pass', reason: null, object_site_id: 'site_1' },
      { id: 'evt_site', object_type: 'site', reason: null, object_site_id: 'site_1' },
    ]);
    await after.close();
  });

  it('reserves seeded stock cards for the organization of their seed file', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-migrate-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const before = await firstVersion(dataDir);
    for (const [id, organizationId] of [
      ['crd_seeded', null],
      ['crd_other', null],
      ['crd_taken', 'org_2'],
    ]) {
      await sql`insert into cards (id, organization_id, is_deleted, created_at, metadata)
        values (${id}, ${organizationId}, 0, 0, '{}')`.execute(before);
    }
    for (const [scope, key, objectId] of [
      ['', 'hotel', 'org_1'],
      ['hotel', 'blue', 'crd_seeded'],
      ['hotel', 'red', 'crd_taken'],
    ]) {
      await sql`insert into seed_keys (scope, key, object_id) values (${scope}, ${key}, ${objectId})`.execute(before);
    }
    await before.destroy();
    const after = await opened(dataDir);
    expect(await after.reader.selectFrom('cards').select(['id', 'reserved_for']).orderBy('id').execute()).toEqual([
      { id: 'crd_other', reserved_for: null },
      { id: 'crd_seeded', reserved_for: 'org_1' },
      { id: 'crd_taken', reserved_for: null },
    ]);
    await after.close();
  });

  it('keeps only seeded users verified, because others got their password from an inviter', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-migrate-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const before = await firstVersion(dataDir);
    for (const id of ['usr_invited', 'usr_seeded']) {
      await sql`insert into users (id, email, name, password_hash, is_deleted, created_at)
        values (${id}, ${`${id}@example.test`}, '', 'hash', 0, 7)`.execute(before);
    }
    await sql`insert into seed_keys (scope, key, object_id) values ('org', 'admin', 'usr_seeded')`.execute(before);
    await before.destroy();
    const after = await opened(dataDir);
    expect(await after.reader.selectFrom('users').select(['id', 'verified_at']).orderBy('id').execute()).toEqual([
      { id: 'usr_invited', verified_at: null },
      { id: 'usr_seeded', verified_at: 7 },
    ]);
    await after.close();
  });
});

describe('openStorage', () => {
  it.each([true, false])('leaves one file that contains everything when it is closed (was read: %s)', async wasRead => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-storage-'));
    const storage = await openStorage({ dataDir, now: 0 });
    if (wasRead) await storage.reader.selectFrom('organizations').select('id').execute();
    await storage.close();
    expect(readdirSync(dataDir)).toEqual(['bridge.sqlite']);
  });
});
