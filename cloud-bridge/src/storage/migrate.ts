import { sql, type Kysely } from 'kysely';
import type { DatabaseEngine } from './database-engine.ts';
import { createInitialTables } from './migrations/0001-first-tables.ts';
import { createOrganizationProductsTable } from './migrations/0002-organization-products.ts';
import { createTechnicianPagesTable } from './migrations/0003-technician-pages.ts';
import { createUpdateTables } from './migrations/0004-updates.ts';
import { createUplinkCounters } from './migrations/0011-uplink-counters.ts';
import { addReceivedEvents } from './migrations/0012-received-events.ts';
import { createRecoveryTables } from './migrations/0013-recovery.ts';
import { createUserTables } from './migrations/0005-users.ts';
import { separateTechnicianPassEvents } from './migrations/0007-api.ts';
import { separateStockAndHardware } from './migrations/0009-stock-and-hardware.ts';
import { createWebhookRetryColumns } from './migrations/0008-webhook-retries.ts';
import { createVirtualGadgetsTable } from './migrations/0015-virtual-gadgets.ts';
import { addEventDetails } from './migrations/0016-event-details.ts';
import { createKeyChecksTable } from './migrations/0006-key-check.ts';
import { createAdministrationTables } from './migrations/0014-administration.ts';
import type { MigrationContext } from './migrations/table-builder.ts';

interface Migration {
  readonly name: string;
  readonly up: (context: MigrationContext) => Promise<void>;
}

/** Released migrations never change. Append new ones. */
const migrations: readonly Migration[] = [
  { name: '0001-first-tables', up: createInitialTables },
  { name: '0002-organization-products', up: createOrganizationProductsTable },
  { name: '0003-technician-pages', up: createTechnicianPagesTable },
  { name: '0004-updates', up: createUpdateTables },
  { name: '0005-users', up: createUserTables },
  { name: '0006-key-check', up: createKeyChecksTable },
  { name: '0007-api', up: separateTechnicianPassEvents },
  { name: '0008-webhook-retries', up: createWebhookRetryColumns },
  { name: '0009-stock-and-hardware', up: separateStockAndHardware },
  { name: '0011-uplink-counters', up: createUplinkCounters },
  { name: '0012-received-events', up: addReceivedEvents },
  { name: '0013-recovery', up: createRecoveryTables },
  { name: '0014-administration', up: createAdministrationTables },
  { name: '0015-virtual-gadgets', up: createVirtualGadgetsTable },
  { name: '0016-event-details', up: addEventDetails },
];

/** Arbitrary id of the advisory lock that serializes migrations of bridges that start together. */
const MIGRATION_LOCK = 7_164_201;

const appliedNames = async (db: Kysely<unknown>): Promise<Set<string>> => {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db);
  return new Set(rows.map(row => row.name));
};

/** Applies missing migrations in one transaction, so that a failure leaves the database unchanged. */
export const migrateDatabase = async (db: Kysely<unknown>, engine: DatabaseEngine, now: number): Promise<void> => {
  await db.transaction().execute(async trx => {
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
    await sql
      .raw('create table if not exists schema_migrations (name text primary key, applied_at bigint not null)')
      .execute(trx);
    const applied = await appliedNames(trx);
    const newer = [...applied].filter(name => !migrations.some(migration => migration.name === name));
    if (newer.length > 0) {
      throw new Error(`The database was created by a newer version (${newer.join(', ')}). Update this program`);
    }
    for (const { name, up } of migrations) {
      if (applied.has(name)) continue;
      await up({ db: trx, engine });
      await sql`insert into schema_migrations (name, applied_at) values (${name}, ${now})`.execute(trx);
    }
  });
};
