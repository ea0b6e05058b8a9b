import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import {
  type CreateDeviceRequest,
  type EditDeviceRequest,
  createDeviceRequestSchema,
  editDeviceRequestSchema,
} from '@lintel/wire-protocol/rest/device';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import { createInvalidFieldError, unwrapOrThrow } from '../http/api-error.ts';
import type { DeviceRow, GadgetRow, ProductRow } from '../storage/schema.ts';
import { requireReferencedRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { parseDeviceInputRules } from './parse-device-input-rules.ts';
import { listActiveGadgetsOfDevice } from './read-gadget-rows.ts';
import { createInitialDeviceStatus } from './initial-device-status.ts';
import { parseDeviceCapabilities, requireAllowedGadgetCount } from './device-capabilities.ts';
import { revokeDeviceCertificates } from './device-certificates.ts';
import { deviceWriter } from './device-resource-writer.ts';
import { rejectOrRemoveGadgetUses } from './reject-or-remove-gadget-uses.ts';
import { insertGadget, deleteGadgetOfDeletedDevice } from './gadgets.ts';
import { findProduct, storeReportedProduct } from './organization-products.ts';
import { isGatewayDevice } from './gateway-and-virtual-devices.ts';

const requireProduct = async (context: WriteContext, id: string): Promise<ProductRow> => {
  const product = await findProduct(context, id);
  if (product === undefined) throw createInvalidFieldError('product_id', `product_id: ${id} does not exist`, { id });
  return product;
};

/** Other organizations do not count: they could otherwise block hardware that they do not have. */
const requireUnusedHardware = async (
  { db, organizationId }: WriteContext,
  hardwareId: string | null,
): Promise<void> => {
  if (hardwareId === null) return;
  const owner = await db
    .selectFrom('devices')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('hardware_id', '=', hardwareId)
    .where('is_deleted', '=', 0)
    .executeTakeFirst();
  if (owner !== undefined)
    throw createInvalidFieldError('hardware_id', 'hardware_id is already in use', { id: hardwareId });
};

export interface CreatedDevice {
  readonly device: DeviceRow;
  /** In the order of the request. */
  readonly gadgets: readonly GadgetRow[];
}

export const createDevice = async (context: WriteContext, given: CreateDeviceRequest): Promise<CreatedDevice> => {
  const body = unwrapOrThrow(parseRequestBody(createDeviceRequestSchema, given));
  const product = await requireProduct(context, body.product_id);
  const capabilities = parseDeviceCapabilities(product);
  const hardwareId = body.hardware_id ?? null;
  await requireReferencedRow(context, 'sites', 'site_id', body.site_id);
  await requireUnusedHardware(context, hardwareId);
  requireAllowedGadgetCount(capabilities, body.gadgets.length, 'gadgets');
  const rules = await parseDeviceInputRules(context, capabilities, body.input_rules ?? []);
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
    throw createInvalidFieldError('product.capabilities.input_rules', `Device ${row.id} has input rules`, {
      id: row.id,
    });
  }
  const { capabilities: newCapabilities, revision_id } = product;
  return deviceWriter.edit(context, row, {}, { capabilities: newCapabilities, revision_id });
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
  deviceWriter.delete(context, id, async () => {
    const gadgets = await listActiveGadgetsOfDevice(context, id);
    const removals = gadgets.map(gadget => ({ gadgetId: gadget.id, parts: 'all' as const }));
    await rejectOrRemoveGadgetUses(context, removals, { field: 'device_id', isForced, deletedDeviceId: id });
    for (const gadget of gadgets) await deleteGadgetOfDeletedDevice(context, gadget);
    await revokeDeviceCertificates(context, id);
  });
