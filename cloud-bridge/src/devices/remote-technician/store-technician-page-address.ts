import type { DeviceStatusMqttMessage } from '@lintel/wire-protocol/mqtt/messages/device-status';
import type { TechnicianPageRow } from '../../storage/device-schema.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';

/** Stores the address of a controller's technician page. Without one in the status, the stored address stays. */
export const storeTechnicianPageAddress = async (
  { db, organizationId }: WriteContext,
  deviceId: string,
  page: DeviceStatusMqttMessage['technician'],
): Promise<void> => {
  if (page == null) return;
  const { name, url, address, fingerprint } = page;
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
