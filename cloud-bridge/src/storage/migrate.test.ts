import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStorage } from './open-storage.ts';

const opened = async (dataDir: string) => openStorage({ dataDir, now: 1 });

describe('migrateDatabase', () => {
  it('upgrades a database of the first version and keeps its data', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-migrate-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const before = await opened(dataDir);
    await sql`insert into products (id, name, capabilities, revision_id) values ('old', 'Old', '{}', '1')`.execute(
      before.writer,
    );
    await sql`drop table organization_products`.execute(before.writer);
    await sql`drop table technician_pages`.execute(before.writer);
    for (const table of ['releases', 'rollouts', 'rollout_devices'])
      await sql`drop table ${sql.table(table)}`.execute(before.writer);
    await sql`delete from schema_migrations where name > '0001-first-tables'`.execute(before.writer);
    await before.close();
    const after = await opened(dataDir);
    expect(await after.reader.selectFrom('organization_products').selectAll().execute()).toEqual([]);
    expect(await after.reader.selectFrom('products').select('id').execute()).toEqual([{ id: 'old' }]);
    await after.close();
  });
});
