import { createTable, type MigrationContext } from './table-builder.ts';

/** How long organizations keep events and delivery logs, and leases of tasks that one bridge runs for all. */
export const createRetentionTables = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'organization_retention',
    {
      organization_id: 'text',
      event_days: 'int?',
      delivery_days: 'int?',
      event_limit_days: 'int?',
      delivery_limit_days: 'int?',
    },
    'organization_id',
  );
  await createTable(context, 'task_leases', { name: 'text', owner: 'text', lease_until: 'int' }, 'name');
};
