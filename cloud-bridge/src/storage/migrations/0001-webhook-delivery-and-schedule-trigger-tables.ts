import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/** Webhook deliveries and schedule triggers. */
export const createDeliveryTables = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'webhook_deliveries',
    {
      id: 'text',
      organization_id: 'text',
      webhook_id: 'text',
      event_id: 'text',
      created_at: 'int',
      position: 'int',
      status: 'text',
      attempts: 'int',
      request_url: 'text?',
      response_status: 'int?',
      response_body: 'text?',
      error: 'text?',
      duration_ms: 'int?',
      last_attempt_at: 'int?',
      next_attempt_at: 'int?',
      tried_since: 'int?',
      body: 'text?',
    },
    'id',
  );
  const table = 'webhook_deliveries';
  await createIndex(context, 'webhook_deliveries_once', `${table} (webhook_id, event_id)`, { unique: true });
  await createIndex(context, 'webhook_deliveries_by_creation', `${table} (webhook_id, created_at, id)`);
  await createIndex(context, 'webhook_deliveries_to_do', `${table} (webhook_id, position)`, {
    where: "status = 'pending'",
  });
  await createTable(
    context,
    'webhook_lanes',
    { webhook_id: 'text', lease_owner: 'text?', lease_until: 'int', failing_since: 'int?' },
    'webhook_id',
  );
  await createTable(
    context,
    'schedule_watches',
    { site_id: 'text', schedule_id: 'text', organization_id: 'text', is_inside: 'flag' },
    'site_id, schedule_id',
  );
};
