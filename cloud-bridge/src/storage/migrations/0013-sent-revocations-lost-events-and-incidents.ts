import { sql } from 'kysely';
import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/** For a bridge that was restored from a backup: what it has sent and lost, and incidents for administrators. */
export const createRestoredBridgeTables = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'sent_revocations',
    { organization_id: 'text', counter: 'int', body: 'text' },
    'organization_id, counter',
  );
  // Earlier revocations are not recorded, see `listLostRevocations`.
  await sql`insert into sent_revocations (organization_id, counter, body)
    select organization_id, revoke_counter, '' from organization_keys where revoke_counter > 0`.execute(context.db);
  await createTable(context, 'lost_events', { device_id: 'text', first: 'int', last: 'int' }, 'device_id');
  await createTable(
    context,
    'incidents',
    {
      id: 'text',
      organization_id: 'text',
      kind: 'text',
      details: 'text',
      created_at: 'int',
      updated_at: 'int',
      acknowledged_at: 'int?',
      acknowledged_by: 'text?',
    },
    'id',
  );
  await createIndex(context, 'incidents_by_organization', 'incidents (organization_id, id)');
};
