import type { WriteContext } from '../transactions/organization-writer.ts';

type UnclaimContext = Pick<WriteContext, 'db' | 'organizationId' | 'now'>;

/** Makes all controllers and gateways of the organization unclaimed. Devices, gadgets and input rules stay. */
export const unclaimAllDevices = async ({ db, organizationId, now }: UnclaimContext): Promise<void> => {
  for (const table of ['device_certificates', 'claim_tickets'] as const) {
    await db
      .updateTable(table)
      .set({ revoked_at: now })
      .where('organization_id', '=', organizationId)
      .where('revoked_at', 'is', null)
      .execute();
  }
  for (const table of ['device_links', 'device_sync'] as const)
    await db.deleteFrom(table).where('organization_id', '=', organizationId).execute();
};

/** Like `unclaimAllDevices`, and deletes the key of the organization. The next claim creates another one. */
export const unclaimAllDevicesAndDeleteKey = async (context: UnclaimContext): Promise<void> => {
  const { db, organizationId } = context;
  await unclaimAllDevices(context);
  // The revocations that the key has signed: the next key counts from 1.
  for (const table of ['organization_keys', 'sent_revocations'] as const)
    await db.deleteFrom(table).where('organization_id', '=', organizationId).execute();
};
