import { sql, type Kysely } from 'kysely';
import type { Engine } from './engine.ts';
import { firstTables } from './migrations/0001-first-tables.ts';
import { organizationProducts } from './migrations/0002-organization-products.ts';
import { technicianPages } from './migrations/0003-technician-pages.ts';
import { updateTables } from './migrations/0004-updates.ts';
import type { MigrationContext } from './migrations/table-builder.ts';

interface Migration {
  readonly name: string;
  readonly up: (context: MigrationContext) => Promise<void>;
}

/** Released migrations never change: a new one follows the last. */
const migrations: readonly Migration[] = [
  { name: '0001-first-tables', up: firstTables },
  { name: '0002-organization-products', up: organizationProducts },
  { name: '0003-technician-pages', up: technicianPages },
  { name: '0004-updates', up: updateTables },
];

/** Any number: bridges that start together wait for one another under it. */
const MIGRATION_LOCK = 7_164_201;

const appliedNames = async (db: Kysely<unknown>): Promise<Set<string>> => {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db);
  return new Set(rows.map(row => row.name));
};

/** Brings any released version forward, all in one transaction: a failed step leaves the database as it was. */
export const migrate = async (db: Kysely<unknown>, engine: Engine, now: number): Promise<void> => {
  await db.transaction().execute(async trx => {
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
    await sql
      .raw('create table if not exists schema_migrations (name text primary key, applied_at bigint not null)')
      .execute(trx);
    const applied = await appliedNames(trx);
    const newer = [...applied].filter(name => !migrations.some(migration => migration.name === name));
    if (newer.length > 0) {
      throw new Error(`the database is of a newer version (${newer.join(', ')}): update this program first`);
    }
    for (const { name, up } of migrations) {
      if (applied.has(name)) continue;
      await up({ db: trx, engine });
      await sql`insert into schema_migrations (name, applied_at) values (${name}, ${now})`.execute(trx);
    }
  });
};
