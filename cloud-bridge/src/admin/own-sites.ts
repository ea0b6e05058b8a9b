import { invalid, notFound } from '../http/api-error.ts';
import type { DeviceRow } from '../storage/schema.ts';
import { requireLivingRow, requireReference } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import type { AdminCaller } from './admin-caller.ts';

export const isOwnSite = ({ siteIds }: AdminCaller, siteId: string): boolean =>
  siteIds === null || siteIds.includes(siteId);

/** The device that an address names, to be changed: one at a site that is not the caller's does not exist. */
export const requireOwnDevice = async (context: WriteContext, caller: AdminCaller, id: string): Promise<DeviceRow> => {
  const row = await requireLivingRow(context, 'devices', 'device', id);
  if (!isOwnSite(caller, row.site_id)) throw notFound('device', id);
  return row;
};

/** The device that a body refers to. */
export const requireOwnDeviceReference = async (
  context: WriteContext,
  caller: AdminCaller,
  field: string,
  id: string,
): Promise<DeviceRow> => {
  const row = await requireReference(context, 'devices', field, id);
  if (!isOwnSite(caller, row.site_id)) throw invalid(field, `${field}: there is no ${id}`, { id });
  return row;
};
