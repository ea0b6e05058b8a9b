import { type InputRule, parseInputRules } from '@lintel/access-core/input-rules';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import {
  type CreateSiteRequest,
  type EditSiteRequest,
  createSiteRequestSchema,
  editSiteRequestSchema,
} from '@lintel/wire-protocol/rest/site';
import { createInvalidFieldError, createNotFoundError, listNames, unwrapOrThrow } from '../http/api-error.ts';
import type { DeviceRow, SiteRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import { findRow, insertRow, requireRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { deviceWriter } from './device-resource-writer.ts';
import { deleteDeviceWithParts, findUndeletableDevice, undeleteDevice } from './devices.ts';
import { undeleteGadgetTrigger } from './gadget-triggers.ts';
import { undeleteGadget } from './gadgets.ts';
import { findActionIds } from './parse-device-input-rules.ts';

const sites = new ResourceWriter('site', 'sites');

export const createSite = async (context: WriteContext, given: CreateSiteRequest): Promise<SiteRow> => {
  const body = unwrapOrThrow(parseRequestBody(createSiteRequestSchema, given));
  return sites.create(context, body, {
    name: body.name,
    geo: body.geo ? JSON.stringify(body.geo) : null,
    map: body.map ? JSON.stringify(body.map) : null,
    phone: body.phone ?? null,
    email: body.email ?? null,
    info: body.info ?? null,
    timezone: body.timezone ?? null,
  });
};

/** What went along with a deleted site, as it is stored to undelete the site. */
interface DeletedWithSite {
  readonly devices: readonly { readonly id: string; readonly certificate_serials: readonly string[] }[];
  readonly gadget_ids: readonly string[];
  readonly trigger_ids: readonly string[];
  /** Input rules of devices of other sites. */
  readonly rules: readonly { readonly device_id: string; readonly rule: InputRule }[];
}

const rejectDevices = (devices: readonly DeviceRow[]): never => {
  const names = listNames(devices.map(({ id, name }) => `${name} (${id})`));
  throw createInvalidFieldError(
    'site_id',
    `is still in use: the site has ${devices.length === 1 ? 'a device' : `${devices.length} devices`}: ${names}. Delete them first, ` +
      'or send force=true to delete them too, with their gadgets, input rules and triggers',
    { id: devices[0]!.id },
  );
};

const deleteDevicesOfSite = async (context: WriteContext, devices: readonly DeviceRow[]): Promise<DeletedWithSite> => {
  const deletedDeviceIds = new Set(devices.map(({ id }) => id));
  const deleted = [];
  for (const { id } of devices) {
    // Read again: the deletion of another device may have edited it.
    const device = await requireRow(context, 'devices', 'device', id);
    deleted.push(await deleteDeviceWithParts(context, device, { isForced: true, deletedDeviceIds }));
    await deviceWriter.deleteRow(context, device);
  }
  return {
    devices: deleted.map(({ deviceId, certificateSerials }) => ({
      id: deviceId,
      certificate_serials: certificateSerials,
    })),
    gadget_ids: deleted.flatMap(({ gadgetIds }) => gadgetIds),
    trigger_ids: deleted.flatMap(({ uses }) => uses.triggers.map(({ id }) => id)),
    rules: deleted.flatMap(({ uses }) => uses.rules.map(({ device, rule }) => ({ device_id: device.id, rule }))),
  };
};

/**
 * Rejected while the site has devices, unless `isForced` deletes them too, with their gadgets and the input rules and triggers
 * that use these. `undeleteSite` brings all of that back.
 */
export const deleteSite = (context: WriteContext, id: string, { isForced = false } = {}): Promise<SiteRow> =>
  sites.delete(context, id, async () => {
    const { db, organizationId } = context;
    const devices = await db
      .selectFrom('devices')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('site_id', '=', id)
      .where('is_deleted', '=', 0)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    if (devices.length === 0) return;
    if (!isForced) rejectDevices(devices);
    const removed = await deleteDevicesOfSite(context, devices);
    const row = { site_id: id, organization_id: organizationId, removed: JSON.stringify(removed) };
    await insertRow(context, 'site_deletions', row);
  });

/** Puts input rules back whose device and gadget exist and whose code is free. */
const restoreRules = async (context: WriteContext, rules: DeletedWithSite['rules']): Promise<void> => {
  for (const { device_id, rule } of rules) {
    const device = await findRow(context, 'devices', device_id);
    const actions = await findActionIds(context, [rule.gadget_id]);
    if (device?.is_deleted !== 0 || !actions.get(rule.gadget_id)?.includes(rule.action_id)) continue;
    const all = parseInputRules([...(JSON.parse(device.input_rules) as InputRule[]), rule]);
    if (all.ok) await deviceWriter.edit(context, device, {}, { input_rules: JSON.stringify(all.value) });
  }
};

/** Brings back what `deleteSite` deleted with the site, except for controllers that were claimed again meanwhile. */
const restoreDevicesOfSite = async (context: WriteContext, siteId: string): Promise<void> => {
  const { db } = context;
  const stored = await db
    .selectFrom('site_deletions')
    .select('removed')
    .where('site_id', '=', siteId)
    .executeTakeFirst();
  if (stored === undefined) return;
  const removed = JSON.parse(stored.removed) as DeletedWithSite;
  const devices = [];
  for (const { id, certificate_serials } of removed.devices) {
    const row = await findUndeletableDevice(context, id);
    if (row !== null) devices.push({ row, certificate_serials });
  }
  const deviceIds = new Set(devices.map(({ row }) => row.id));
  for (const id of removed.gadget_ids) {
    const gadget = await findRow(context, 'gadgets', id);
    if (gadget?.is_deleted === 1 && deviceIds.has(gadget.device_id)) await undeleteGadget(context, gadget);
  }
  // After all gadgets, because input rules lead to gadgets of other devices.
  for (const { row, certificate_serials } of devices) await undeleteDevice(context, row, certificate_serials);
  for (const id of removed.trigger_ids) await undeleteGadgetTrigger(context, id);
  await restoreRules(context, removed.rules);
  await db.deleteFrom('site_deletions').where('site_id', '=', siteId).execute();
};

/** `is_deleted: false` undeletes a site with the devices that were deleted with it. */
export const editSite = async (context: WriteContext, id: string, given: EditSiteRequest): Promise<SiteRow> => {
  const row = await requireRow(context, 'sites', 'site', id);
  const body = unwrapOrThrow(parseRequestBody(editSiteRequestSchema, given));
  const { geo, map, metadata, tag_ids, is_deleted, ...plain } = body;
  const isUndeleted = row.is_deleted === 1 && is_deleted === false;
  if (row.is_deleted === 1 && !isUndeleted) throw createNotFoundError('site', id);
  const changes = { ...plain, geo: geo && JSON.stringify(geo), map: map && JSON.stringify(map) };
  const edited = await sites.edit(
    context,
    row,
    { metadata, tag_ids },
    { ...changes, ...(isUndeleted ? { is_deleted: 0 } : {}) },
  );
  if (isUndeleted) await restoreDevicesOfSite(context, id);
  return edited;
};
