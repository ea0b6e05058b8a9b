import { computeRestingStateId } from '@lintel/access-core/gadgets/virtual-gadget';
import {
  type CreateGadgetRequest,
  type EditGadgetRequest,
  NOT_A_STATE,
  createGadgetRequestSchema,
  editGadgetRequestSchema,
} from '@lintel/wire-protocol/rest/gadget';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import { createInvalidFieldError, unwrapOrThrow } from '../http/api-error.ts';
import type { DeviceRow, GadgetRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import { requireReferencedRow, requireRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { parseIdsOfJsonObjects, listActiveGadgetsOfDevice, toVirtualGadgetDefinition } from './read-gadget-rows.ts';
import { parseDeviceCapabilities, requireAllowedGadgetCount } from './device-capabilities.ts';
import { isVirtualDevice, requireVirtualDevice } from './gateway-and-virtual-devices.ts';
import { rejectOrRemoveGadgetUses } from './reject-or-remove-gadget-uses.ts';

const gadgets = new ResourceWriter('gadget', 'gadgets', { references: ['device_id', 'site_id'] });

/** Does not check the number of gadgets. The caller does. */
export const insertGadget = async (
  context: WriteContext,
  device: DeviceRow,
  given: CreateGadgetRequest,
): Promise<GadgetRow> => {
  const body = unwrapOrThrow(parseRequestBody(createGadgetRequestSchema, given));
  const definition = { actions: JSON.stringify(body.actions), states: JSON.stringify(body.states) };
  const initialStateId = isVirtualDevice(device) ? computeRestingStateId(toVirtualGadgetDefinition(definition)) : null;
  return gadgets.create(context, body, {
    site_id: device.site_id,
    device_id: device.id,
    name: body.name,
    ...definition,
    signals: JSON.stringify(body.signals),
    state_id: body.state_id ?? initialStateId,
  });
};

export const createGadget = async (
  context: WriteContext,
  deviceId: string,
  given: CreateGadgetRequest,
): Promise<GadgetRow> => {
  const device = await requireReferencedRow(context, 'devices', 'device_id', deviceId);
  const others = await listActiveGadgetsOfDevice(context, deviceId);
  requireAllowedGadgetCount(parseDeviceCapabilities(device), others.length + 1, 'device_id');
  return insertGadget(context, device, given);
};

/** Resets the state to null when an edit removes it from the possible states. */
const stateAfter = (row: GadgetRow, states: string, given: string | null | undefined): string | null => {
  const possible = parseIdsOfJsonObjects(states);
  const state = given === undefined ? row.state_id : given;
  if (state === null || possible.includes(state)) return state;
  if (given === undefined) return null;
  throw createInvalidFieldError('state_id', NOT_A_STATE);
};

const removedIds = (stored: string, given: readonly { readonly id: string }[] | undefined): ReadonlySet<string> => {
  if (given === undefined) return new Set();
  const remaining = new Set(given.map(({ id }) => id));
  return new Set(parseIdsOfJsonObjects(stored).filter(id => !remaining.has(id)));
};

const partNames = ['actions', 'states', 'signals'] as const;

/** `isForced` removes the input rules and triggers that use removed actions, states and signals. */
export const editGadget = async (
  context: WriteContext,
  id: string,
  given: EditGadgetRequest,
  { isForced = false } = {},
): Promise<GadgetRow> => {
  const row = await gadgets.requireActive(context, id);
  const body = unwrapOrThrow(parseRequestBody(editGadgetRequestSchema, given));
  if (body.state_id !== undefined) {
    requireVirtualDevice(await requireRow(context, 'devices', 'device', row.device_id), 'state_id');
  }
  for (const field of partNames) {
    const removed = removedIds(row[field], body[field]);
    if (removed.size === 0) continue;
    const parts = {
      actions: new Set<string>(),
      states: new Set<string>(),
      signals: new Set<string>(),
      [field]: removed,
    };
    await rejectOrRemoveGadgetUses(context, [{ gadgetId: id, parts }], { field, isForced });
  }
  const states = body.states && JSON.stringify(body.states);
  return gadgets.edit(context, row, body, {
    name: body.name,
    actions: body.actions && JSON.stringify(body.actions),
    states,
    signals: body.signals && JSON.stringify(body.signals),
    state_id: stateAfter(row, states ?? row.states, body.state_id),
  });
};

/** Skips the minimum number of gadgets, because the device is deleted too. */
export const deleteGadgetOfDeletedDevice = (context: WriteContext, row: GadgetRow): Promise<GadgetRow> =>
  gadgets.deleteRow(context, row);

/** For a device whose deletion is undone. */
export const undeleteGadget = (context: WriteContext, row: GadgetRow): Promise<GadgetRow> =>
  gadgets.edit(context, row, {}, { is_deleted: 0 });

/** Rejected while input rules or gadget triggers use the gadget, unless `isForced` removes those too. */
export const deleteGadget = (context: WriteContext, id: string, { isForced = false } = {}): Promise<GadgetRow> =>
  gadgets.delete(context, id, async ({ device_id }) => {
    const device = await requireRow(context, 'devices', 'device', device_id);
    const others = await listActiveGadgetsOfDevice(context, device_id);
    requireAllowedGadgetCount(parseDeviceCapabilities(device), others.length - 1, 'device_id');
    await rejectOrRemoveGadgetUses(context, [{ gadgetId: id, parts: 'all' }], { field: 'gadget_id', isForced });
  });
