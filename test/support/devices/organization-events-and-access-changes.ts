import type { TestBridge, TestOrganizationClient } from '../bridge/test-bridge.ts';

/** Events of the organization, oldest first, such as `create member_pin mem_… mp_…`. */
export const eventsOf = async (bridge: TestBridge, { organizationId }: TestOrganizationClient): Promise<string[]> => {
  const rows = await bridge.services.storage.reader
    .selectFrom('events')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('recorded_at')
    .execute();
  return rows.map(row => {
    const ids = Object.entries(row)
      .filter(([column, value]) => column.startsWith('object_') && column.endsWith('_id') && value !== null)
      .map(([, value]) => String(value));
    return [row.verb, row.object_type, ...ids].join(' ');
  });
};

/** Recorded access changes, oldest first, such as `member mem_…`. */
export const accessChangesOf = async (
  bridge: TestBridge,
  { organizationId }: TestOrganizationClient,
): Promise<string[]> => {
  const rows = await bridge.services.storage.reader
    .selectFrom('access_changes')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('revision')
    .execute();
  return rows.map(row => `${row.object_type} ${row.object_id}`);
};
