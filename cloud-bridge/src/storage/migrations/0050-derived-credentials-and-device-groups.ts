import { sql } from 'kysely';
import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/**
 * The magic link or email that a phone was enrolled with, and the member groups that each controller had in its snapshots,
 * so that the bridge knows which members a controller can have recognized.
 */
export const addDerivedCredentialsAndDeviceGroups = async (context: MigrationContext): Promise<void> => {
  const type = context.engine === 'sqlite' ? 'text' : 'text collate "C"';
  await sql.raw(`alter table member_tokens add column enrolled_with ${type}`).execute(context.db);
  await createIndex(context, 'member_tokens_by_source', 'member_tokens (enrolled_with)', {
    where: 'enrolled_with is not null and is_deleted = 0',
  });
  await createTable(
    context,
    'device_member_groups',
    { device_id: 'text', organization_id: 'text', member_group_id: 'text' },
    'device_id, member_group_id',
  );
};
