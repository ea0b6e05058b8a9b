import { type GadgetCreate, type GadgetEdit, gadgetCreate, gadgetEdit } from '@lintel/wire-protocol/rest/gadget';
import { parseRequest } from '@lintel/wire-protocol/rest/request';
import { invalid, orThrow } from '../http/api-error.ts';
import type { DeviceRow, GadgetRow } from '../storage/schema.ts';
import {
  insertRow,
  mergedMetadata,
  requireLivingRow,
  requireReference,
  requireRow,
  requireTags,
  updateRow,
} from '../writing/rows.ts';
import type { WriteContext } from '../writing/writer.ts';
import {
  capabilitiesOf,
  checkGadgetCount,
  idsOf,
  livingGadgetsOf,
  requireUnusedActions,
} from './device-constraints.ts';

const tellOf = (
  context: WriteContext,
  verb: 'create' | 'edit' | 'delete',
  { id, device_id, site_id }: GadgetRow,
): void => {
  context.log({ verb, object: { type: 'gadget', gadget_id: id, device_id, site_id } });
  context.changed('gadget', id);
};

/** Without a look at how many the device has already: that is judged where they are counted. */
export const addGadget = async (context: WriteContext, device: DeviceRow, given: GadgetCreate): Promise<GadgetRow> => {
  const body = orThrow(parseRequest(gadgetCreate, given));
  await requireTags(context, body.tag_ids);
  const row = await insertRow(context, 'gadgets', {
    id: context.newId('gadget'),
    organization_id: context.organizationId,
    is_deleted: 0,
    created_at: context.now,
    metadata: JSON.stringify(body.metadata),
    site_id: device.site_id,
    device_id: device.id,
    name: body.name,
    actions: JSON.stringify(body.actions),
    states: JSON.stringify(body.states),
    signals: JSON.stringify(body.signals),
    state_id: body.state_id ?? null,
    tag_ids: JSON.stringify(body.tag_ids),
  });
  tellOf(context, 'create', row);
  return row;
};

export const createGadget = async (
  context: WriteContext,
  deviceId: string,
  given: GadgetCreate,
): Promise<GadgetRow> => {
  const device = await requireReference(context, 'devices', 'device_id', deviceId);
  const others = await livingGadgetsOf(context, deviceId);
  checkGadgetCount(capabilitiesOf(device), others.length + 1, 'device_id');
  return addGadget(context, device, given);
};

/** A state that the gadget is no longer able to be in is nothing that is known of it. */
const stateAfter = (row: GadgetRow, states: string, given: string | null | undefined): string | null => {
  const possible = idsOf(states);
  const state = given === undefined ? row.state_id : given;
  if (state === null || possible.includes(state)) return state;
  if (given === undefined) return null;
  throw invalid('state_id', 'state_id must be one of the states');
};

export const editGadget = async (context: WriteContext, id: string, given: GadgetEdit): Promise<GadgetRow> => {
  const row = await requireLivingRow(context, 'gadgets', 'gadget', id);
  const body = orThrow(parseRequest(gadgetEdit, given));
  const changes: Partial<GadgetRow> = {};
  if (body.name !== undefined) changes.name = body.name;
  if (body.actions !== undefined) {
    const kept = new Set(body.actions.map(action => action.id));
    await requireUnusedActions(context, id, new Set(idsOf(row.actions).filter(action => !kept.has(action))));
    changes.actions = JSON.stringify(body.actions);
  }
  if (body.states !== undefined) changes.states = JSON.stringify(body.states);
  if (body.signals !== undefined) changes.signals = JSON.stringify(body.signals);
  changes.state_id = stateAfter(row, changes.states ?? row.states, body.state_id);
  if (body.metadata !== undefined) changes.metadata = mergedMetadata(row.metadata, body.metadata);
  if (body.tag_ids !== undefined) {
    await requireTags(context, body.tag_ids);
    changes.tag_ids = JSON.stringify(body.tag_ids);
  }
  const edited = await updateRow(context, 'gadgets', row, changes);
  if (edited !== row) tellOf(context, 'edit', edited);
  return edited;
};

/** Also the only gadget of a device that must have one: for when the device goes with it. */
export const removeGadget = async (context: WriteContext, row: GadgetRow): Promise<GadgetRow> => {
  const deleted = await updateRow(context, 'gadgets', row, { is_deleted: 1 });
  tellOf(context, 'delete', deleted);
  return deleted;
};

export const deleteGadget = async (context: WriteContext, id: string): Promise<GadgetRow> => {
  const row = await requireRow(context, 'gadgets', 'gadget', id);
  if (row.is_deleted === 1) return row;
  const device = await requireRow(context, 'devices', 'device', row.device_id);
  const others = await livingGadgetsOf(context, row.device_id);
  checkGadgetCount(capabilitiesOf(device), others.length - 1, 'device_id');
  return removeGadget(context, row);
};
