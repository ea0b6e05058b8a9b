import type { BridgeWorld, OrganizationClient } from '../bridge/bridge-world.ts';

/** What the organization's log says, oldest first: `create member_pin mem_… mp_…`. */
export const eventsOf = async (world: BridgeWorld, { organizationId }: OrganizationClient): Promise<string[]> => {
  const rows = await world.bridge.services.storage.reader
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

/** What controllers were told to learn again, oldest first: `member mem_…`. */
export const changesOf = async (world: BridgeWorld, { organizationId }: OrganizationClient): Promise<string[]> => {
  const rows = await world.bridge.services.storage.reader
    .selectFrom('access_changes')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('revision')
    .execute();
  return rows.map(row => `${row.object_type} ${row.object_id}`);
};
