import type { InputRule } from '@lintel/access-core/input-rules';
import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import {
  type CreateDeviceRequest,
  type DeviceStatus,
  type EditDeviceRequest,
  createDeviceRequestSchema,
  editDeviceRequestSchema,
} from '@lintel/wire-protocol/rest/device';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import {
  createInvalidFieldError,
  unwrapOrThrow,
  createUnknownReferenceError,
  createValueInUseError,
  checkAll,
} from '../http/api-error.ts';
import type { DeviceRow, GadgetRow, ProductRow } from '../storage/schema.ts';
import { findRow, requireExistingTags, requireReferencedRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { findActionIds, parseDeviceInputRules } from './parse-device-input-rules.ts';
import { listActiveGadgetsOfDevice } from './read-gadget-rows.ts';
import { createInitialDeviceStatus } from './initial-device-status.ts';
import { parseDeviceCapabilities, requireAllowedGadgetCount } from './device-capabilities.ts';
import { reinstateDeviceCertificates, revokeDeviceCertificates } from './device-certificates.ts';
import { deviceWriter } from './device-resource-writer.ts';
import { type GadgetUses, rejectOrRemoveGadgetUses } from './reject-or-remove-gadget-uses.ts';
import { isGatewayDevice, isVirtualDevice } from './gateway-and-virtual-devices.ts';
import { insertGadget, deleteGadgetOfDeletedDevice } from './gadgets.ts';
import { findProduct, storeReportedProduct } from './organization-products.ts';

const requireProduct = async (context: WriteContext, id: string): Promise<ProductRow> => {
  const product = await findProduct(context, id);
  if (product === undefined) throw createUnknownReferenceError('product_id', id, 'product');
  return product;
};

/** Other organizations do not count: they could otherwise block hardware that they do not have. */
const findHardwareOwner = async (
  { db, organizationId }: WriteContext,
  hardwareId: string | null,
): Promise<{ readonly id: string } | undefined> =>
  hardwareId === null
    ? undefined
    : db
        .selectFrom('devices')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('hardware_id', '=', hardwareId)
        .where('is_deleted', '=', 0)
        .executeTakeFirst();

const requireUnusedHardware = async (context: WriteContext, hardwareId: string | null): Promise<void> => {
  const owner = await findHardwareOwner(context, hardwareId);
  if (owner !== undefined) throw createValueInUseError('hardware_id', 'device', owner.id);
};

export interface CreatedDevice {
  readonly device: DeviceRow;
  /** In the order of the request. */
  readonly gadgets: readonly GadgetRow[];
}

export const createDevice = async (context: WriteContext, given: CreateDeviceRequest): Promise<CreatedDevice> => {
  const body = unwrapOrThrow(parseRequestBody(createDeviceRequestSchema, given));
  const hardwareId = body.hardware_id ?? null;
  const [product] = await checkAll([
    () => requireProduct(context, body.product_id),
    () => requireReferencedRow(context, 'sites', 'site_id', body.site_id),
    () => requireUnusedHardware(context, hardwareId),
    () => requireExistingTags(context, body.tag_ids),
  ]);
  const capabilities = parseDeviceCapabilities(product);
  const [, rules] = await checkAll([
    () => requireAllowedGadgetCount(capabilities, body.gadgets.length, 'gadgets'),
    () => parseDeviceInputRules(context, capabilities, body.input_rules ?? []),
  ]);
  const device = await deviceWriter.create(context, body, {
    site_id: body.site_id,
    name: body.name,
    hardware_id: hardwareId,
    product_id: product.id,
    revision_id: body.revision_id ?? (hardwareId === null ? null : product.revision_id),
    input_rules: JSON.stringify(rules),
    capabilities: product.capabilities,
    status: JSON.stringify(createInitialDeviceStatus(hardwareId, capabilities)),
    gateway_id: null,
  });
  const gadgets: GadgetRow[] = [];
  for (const gadget of body.gadgets) gadgets.push(await insertGadget(context, device, gadget));
  return { device, gadgets };
};

export const editDevice = async (context: WriteContext, id: string, given: EditDeviceRequest): Promise<DeviceRow> => {
  const row = await deviceWriter.requireActive(context, id);
  const body = unwrapOrThrow(parseRequestBody(editDeviceRequestSchema, given));
  const capabilities = parseDeviceCapabilities(row);
  const changes: Partial<DeviceRow> = {};
  if (body.hardware_id !== undefined && body.hardware_id !== row.hardware_id) {
    await requireUnusedHardware(context, body.hardware_id);
    changes.hardware_id = body.hardware_id;
    changes.status = JSON.stringify(createInitialDeviceStatus(body.hardware_id, capabilities));
  }
  if (body.input_rules !== undefined) {
    changes.input_rules = JSON.stringify(await parseDeviceInputRules(context, capabilities, body.input_rules));
  }
  return deviceWriter.edit(context, row, body, { name: body.name, revision_id: body.revision_id, ...changes });
};

/** Applies the capabilities of a product revision. Gadgets and input rules of the device must fit them. */
export const applyProductRevision = async (
  context: WriteContext,
  row: DeviceRow,
  product: ProductRow,
): Promise<DeviceRow> => {
  const capabilities = parseDeviceCapabilities(product);
  requireAllowedGadgetCount(
    capabilities,
    (await listActiveGadgetsOfDevice(context, row.id)).length,
    'product.capabilities.gadgets',
  );
  if (!capabilities.input_rules && row.input_rules !== '[]') {
    throw createInvalidFieldError(
      'product.capabilities.input_rules',
      `must be true, because the device ${row.id} has input rules`,
      {
        id: row.id,
      },
    );
  }
  const { capabilities: newCapabilities, revision_id } = product;
  return deviceWriter.edit(context, row, {}, { capabilities: newCapabilities, revision_id });
};

/** What went along with a deleted device. */
export interface DeletedWithDevice {
  readonly deviceId: string;
  readonly gadgetIds: readonly string[];
  readonly certificateSerials: readonly string[];
  readonly uses: GadgetUses;
}

interface DeleteDeviceOptions {
  readonly isForced?: boolean;
  /** Devices that are deleted together with it: their input rules do not count. */
  readonly deletedDeviceIds?: ReadonlySet<string>;
}

/** Deletes a device that is not deleted yet, with its gadgets, and returns what went along. */
export const deleteDeviceWithParts = async (
  context: WriteContext,
  device: DeviceRow,
  { isForced = false, deletedDeviceIds = new Set([device.id]) }: DeleteDeviceOptions = {},
): Promise<DeletedWithDevice> => {
  const gadgets = await listActiveGadgetsOfDevice(context, device.id);
  const removals = gadgets.map(gadget => ({ gadgetId: gadget.id, parts: 'all' as const }));
  const uses = await rejectOrRemoveGadgetUses(context, removals, { field: 'device_id', isForced, deletedDeviceIds });
  for (const gadget of gadgets) await deleteGadgetOfDeletedDevice(context, gadget);
  const certificateSerials = await revokeDeviceCertificates(context, device.id);
  return { deviceId: device.id, gadgetIds: gadgets.map(({ id }) => id), certificateSerials, uses };
};

/**
 * Records the product that a controller reports. Its gadgets and input rules stay, also those that have no hardware any
 * more: the technician has seen them before the change.
 */
export const setDeviceProduct = async (
  context: WriteContext,
  id: string,
  { revision_id, name, capabilities, product_id }: NonNullable<HelloMqttMessage['product']> & { product_id: string },
): Promise<void> => {
  const row = await deviceWriter.requireActive(context, id);
  if (isGatewayDevice(row) || isGatewayDevice({ product_id })) return;
  const reported = { product_id, revision_id, product: { name, capabilities } };
  const product =
    (await storeReportedProduct(context, reported as Parameters<typeof storeReportedProduct>[1])) ??
    (await requireProduct(context, product_id));
  const changes = { product_id, revision_id: product.revision_id, capabilities: product.capabilities };
  await deviceWriter.edit(context, row, {}, changes);
};

/**
 * Also deletes its gadgets and revokes its certificates. Rejected while input rules of other devices or gadget triggers use
 * its gadgets, unless `isForced` removes those too.
 */
export const deleteDevice = (context: WriteContext, id: string, { isForced = false } = {}): Promise<DeviceRow> =>
  deviceWriter.delete(context, id, row => deleteDeviceWithParts(context, row, { isForced }));

/** Null if the hardware has become another device meanwhile. */
export const findUndeletableDevice = async (context: WriteContext, id: string): Promise<DeviceRow | null> => {
  const row = await findRow(context, 'devices', id);
  if (row?.is_deleted !== 1) return null;
  return (await findHardwareOwner(context, row.hardware_id)) === undefined ? row : null;
};

/** Undoes the deletion of a device whose gadgets are not deleted any more. Drops input rules whose gadget still is. */
export const undeleteDevice = async (
  context: WriteContext,
  row: DeviceRow,
  certificateSerials: readonly string[],
): Promise<DeviceRow> => {
  const rules = JSON.parse(row.input_rules) as readonly InputRule[];
  const actions = await findActionIds(context, [...new Set(rules.map(rule => rule.gadget_id))]);
  const remaining = rules.filter(rule => actions.get(rule.gadget_id)?.includes(rule.action_id));
  await reinstateDeviceCertificates(context, row.id, certificateSerials);
  const status: DeviceStatus = JSON.parse(row.status) as DeviceStatus;
  const offline = isVirtualDevice(row) ? status : { ...status, online: false };
  return deviceWriter.edit(
    context,
    row,
    {},
    { is_deleted: 0, input_rules: JSON.stringify(remaining), status: JSON.stringify(offline) },
  );
};
