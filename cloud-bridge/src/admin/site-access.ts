import { createNotFoundError, createUnknownReferenceError } from '../http/api-error.ts';
import type { DeviceRow } from '../storage/schema.ts';
import { requireActiveRow, requireReferencedRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import type { AdminCaller } from './admin-caller.ts';

export const canAccessSite = ({ siteIds }: AdminCaller, siteId: string): boolean =>
  siteIds === null || siteIds.includes(siteId);

/** The device that the path names: 404 if the caller has no access to its site. */
export const requireAccessibleDevice = async (
  context: WriteContext,
  caller: AdminCaller,
  id: string,
): Promise<DeviceRow> => {
  const row = await requireActiveRow(context, 'devices', 'device', id);
  if (!canAccessSite(caller, row.site_id)) throw createNotFoundError('device', id);
  return row;
};

/** The device that the request body refers to: 400 if the caller has no access to its site. */
export const requireAccessibleDeviceReference = async (
  context: WriteContext,
  caller: AdminCaller,
  field: string,
  id: string,
): Promise<DeviceRow> => {
  const row = await requireReferencedRow(context, 'devices', field, id);
  if (!canAccessSite(caller, row.site_id)) throw createUnknownReferenceError(field, id);
  return row;
};
