import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/** The times of schedules on single dates, and what devices reported about faults and power. */
export const createScheduleExceptionAndHealthTables = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'schedule_exceptions',
    {
      schedule_id: 'text',
      date: 'text',
      organization_id: 'text',
      name: 'text',
      ranges: 'text',
      replaced_ranges: 'text?',
    },
    'schedule_id, date',
  );
  await createIndex(context, 'schedule_exceptions_by_date', 'schedule_exceptions (date)');
  await createIndex(context, 'schedule_exceptions_by_organization', 'schedule_exceptions (organization_id)');
  await createTable(
    context,
    'device_health',
    { device_id: 'text', at: 'int', organization_id: 'text', record: 'text' },
    'device_id, at',
    { isClustered: true },
  );
  await createIndex(context, 'device_health_by_organization', 'device_health (organization_id)');
};
