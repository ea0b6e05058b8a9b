import type { WriteContext } from '../transactions/organization-writer.ts';

/** Makes all controllers and gateways of the organization unclaimed. Devices, gadgets and input rules stay. */
export const unclaimAllDevices = async ({ db, organizationId, now }: WriteContext): Promise<void> => {
  for (const table of ['device_certificates', 'claim_tickets'] as const) {
    await db
      .updateTable(table)
      .set({ revoked_at: now })
      .where('organization_id', '=', organizationId)
      .where('revoked_at', 'is', null)
      .execute();
  }
  for (const table of ['device_links', 'device_sync', 'organization_keys'] as const)
    await db.deleteFrom(table).where('organization_id', '=', organizationId).execute();
};
