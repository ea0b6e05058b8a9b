import { sql } from 'kysely';
import { createIndex, type MigrationContext } from './table-builder.ts';

/** Stock cards name the organization that may take them, and hardware ids are separate per organization. */
export const scopeStockAndHardwareToOrganizations = async (context: MigrationContext): Promise<void> => {
  const { db, engine } = context;
  const text = engine === 'sqlite' ? 'text' : 'text collate "C"';
  await sql.raw(`alter table cards add column reserved_for ${text}`).execute(db);
  // Seeding has recorded for which organization it created a card.
  await sql
    .raw(
      `update cards set reserved_for = (select organization.object_id from seed_keys as card
        join seed_keys as organization on organization.scope = '' and organization.key = card.scope
        where card.object_id = cards.id) where organization_id is null`,
    )
    .execute(db);
  await sql.raw('drop index devices_by_hardware').execute(db);
  await createIndex(context, 'devices_by_hardware', 'devices (organization_id, hardware_id)', {
    unique: true,
    where: 'is_deleted = 0',
  });
  await createIndex(context, 'device_certificates_by_hardware', 'device_certificates (organization_id, hardware_id)');
};
