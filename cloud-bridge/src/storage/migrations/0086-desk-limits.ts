import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/** What the front desk may give: the longest stay of an organization, and groups that differ from the default. */
export const addDeskLimits = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'desk_settings',
    { organization_id: 'text', longest_stay_days: 'int?' },
    'organization_id',
  );
  await createTable(
    context,
    'desk_groups',
    { member_group_id: 'text', organization_id: 'text', may_give: 'flag' },
    'member_group_id',
  );
  // For the alert about new access to all doors.
  await createIndex(
    context,
    'member_group_associations_by_time',
    'member_group_associations (organization_id, created_at)',
  );
};
