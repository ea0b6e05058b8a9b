import type { Status } from '@lintel/wire-protocol/mqtt/messages/status';
import type { TechnicianPageRow } from '../../storage/device-schema.ts';
import type { WriteContext } from '../../transactions/writer.ts';

/** Writes down where the page of a controller is on its site; what it does not tell stays as it was. */
export const notePage = async (
  { db, organizationId }: WriteContext,
  deviceId: string,
  told: Status['technician'],
): Promise<void> => {
  if (told == null) return;
  const { name, url, address, fingerprint } = told;
  const row: TechnicianPageRow = {
    device_id: deviceId,
    organization_id: organizationId,
    name,
    url,
    address,
    fingerprint,
  };
  await db
    .insertInto('technician_pages')
    .values(row)
    .onConflict(conflict => conflict.column('device_id').doUpdateSet(row))
    .execute();
};
