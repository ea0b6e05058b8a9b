import { type DeviceCreate, type DeviceEdit, deviceCreate, deviceEdit } from '@lintel/wire-protocol/rest/device';
import { parseRequest } from '@lintel/wire-protocol/rest/request';
import { invalid, orThrow } from '../http/api-error.ts';
import type { DeviceRow, GadgetRow, ProductRow } from '../storage/schema.ts';
import { Resource } from '../transactions/resource.ts';
import { requireReference } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import {
  capabilitiesOf,
  checkGadgetCount,
  checkInputRules,
  firstStatus,
  livingGadgetsOf,
} from './device-constraints.ts';
import { revokeCertificates } from './device-certificates.ts';
import { addGadget, removeGadget } from './gadgets.ts';
import { findProduct } from './organization-products.ts';

const devices = new Resource('device', 'devices', { references: ['site_id', 'hardware_id'] });

const requireProduct = async (context: WriteContext, id: string): Promise<ProductRow> => {
  const product = await findProduct(context, id);
  if (product === undefined) throw invalid('product_id', `product_id: there is no ${id}`, { id });
  return product;
};

/** A serial number is on one device at a time, whatever the organization. */
const requireFreeHardware = async ({ db }: WriteContext, hardwareId: string | null): Promise<void> => {
  if (hardwareId === null) return;
  const holder = await db
    .selectFrom('devices')
    .select('id')
    .where('hardware_id', '=', hardwareId)
    .where('is_deleted', '=', 0)
    .executeTakeFirst();
  if (holder !== undefined) throw invalid('hardware_id', 'hardware_id is already in use', { id: hardwareId });
};

export interface CreatedDevice {
  readonly device: DeviceRow;
  /** In the order in which they were given. */
  readonly gadgets: readonly GadgetRow[];
}

export const createDevice = async (context: WriteContext, given: DeviceCreate): Promise<CreatedDevice> => {
  const body = orThrow(parseRequest(deviceCreate, given));
  const product = await requireProduct(context, body.product_id);
  const capabilities = capabilitiesOf(product);
  const hardwareId = body.hardware_id ?? null;
  await requireReference(context, 'sites', 'site_id', body.site_id);
  await requireFreeHardware(context, hardwareId);
  checkGadgetCount(capabilities, body.gadgets.length, 'gadgets');
  const rules = await checkInputRules(context, capabilities, body.input_rules ?? []);
  const device = await devices.create(context, body, {
    site_id: body.site_id,
    name: body.name,
    hardware_id: hardwareId,
    product_id: product.id,
    revision_id: body.revision_id ?? (hardwareId === null ? null : product.revision_id),
    input_rules: JSON.stringify(rules),
    capabilities: product.capabilities,
    status: JSON.stringify(firstStatus(hardwareId, capabilities)),
    gateway_id: null,
  });
  const gadgets: GadgetRow[] = [];
  for (const gadget of body.gadgets) gadgets.push(await addGadget(context, device, gadget));
  return { device, gadgets };
};

export const editDevice = async (context: WriteContext, id: string, given: DeviceEdit): Promise<DeviceRow> => {
  const row = await devices.requireLiving(context, id);
  const body = orThrow(parseRequest(deviceEdit, given));
  const capabilities = capabilitiesOf(row);
  const changes: Partial<DeviceRow> = {};
  if (body.hardware_id !== undefined && body.hardware_id !== row.hardware_id) {
    await requireFreeHardware(context, body.hardware_id);
    changes.hardware_id = body.hardware_id;
    changes.status = JSON.stringify(firstStatus(body.hardware_id, capabilities));
  }
  if (body.input_rules !== undefined) {
    changes.input_rules = JSON.stringify(await checkInputRules(context, capabilities, body.input_rules));
  }
  return devices.edit(context, row, body, { name: body.name, revision_id: body.revision_id, ...changes });
};

/** A device whose hardware is of this revision of its product from now on: what it has must suit it. */
export const refitDevice = async (context: WriteContext, row: DeviceRow, product: ProductRow): Promise<DeviceRow> => {
  const capabilities = capabilitiesOf(product);
  checkGadgetCount(capabilities, (await livingGadgetsOf(context, row.id)).length, 'product.capabilities.gadgets');
  if (!capabilities.input_rules && row.input_rules !== '[]') {
    throw invalid('product.capabilities.input_rules', `Device ${row.id} has input rules`, { id: row.id });
  }
  const { capabilities: fitted, revision_id } = product;
  return devices.edit(context, row, {}, { capabilities: fitted, revision_id });
};

/** Its gadgets go with it, and its controller is let in no more. */
export const deleteDevice = (context: WriteContext, id: string): Promise<DeviceRow> =>
  devices.delete(context, id, async () => {
    for (const gadget of await livingGadgetsOf(context, id)) await removeGadget(context, gadget);
    await revokeCertificates(context, id);
  });
