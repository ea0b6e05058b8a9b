import { type GadgetCreate, type GadgetEdit, gadgetCreate, gadgetEdit } from '@lintel/wire-protocol/rest/gadget';
import { parseRequest } from '@lintel/wire-protocol/rest/request';
import { invalidFieldError, unwrapOrThrow } from '../http/api-error.ts';
import type { DeviceRow, GadgetRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import { requireReference, requireRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import {
  capabilitiesOf,
  checkGadgetCount,
  parseObjectIds,
  activeGadgetsOf,
  requireUnusedActions,
} from './device-constraints.ts';

const gadgets = new ResourceWriter('gadget', 'gadgets', { references: ['device_id', 'site_id'] });

/** Does not check the number of gadgets. The caller does. */
export const insertGadget = async (
  context: WriteContext,
  device: DeviceRow,
  given: GadgetCreate,
): Promise<GadgetRow> => {
  const body = unwrapOrThrow(parseRequest(gadgetCreate, given));
  return gadgets.create(context, body, {
    site_id: device.site_id,
    device_id: device.id,
    name: body.name,
    actions: JSON.stringify(body.actions),
    states: JSON.stringify(body.states),
    signals: JSON.stringify(body.signals),
    state_id: body.state_id ?? null,
  });
};

export const createGadget = async (
  context: WriteContext,
  deviceId: string,
  given: GadgetCreate,
): Promise<GadgetRow> => {
  const device = await requireReference(context, 'devices', 'device_id', deviceId);
  const others = await activeGadgetsOf(context, deviceId);
  checkGadgetCount(capabilitiesOf(device), others.length + 1, 'device_id');
  return insertGadget(context, device, given);
};

/** Resets the state to null when an edit removes it from the possible states. */
const stateAfter = (row: GadgetRow, states: string, given: string | null | undefined): string | null => {
  const possible = parseObjectIds(states);
  const state = given === undefined ? row.state_id : given;
  if (state === null || possible.includes(state)) return state;
  if (given === undefined) return null;
  throw invalidFieldError('state_id', 'state_id must be one of the states');
};

export const editGadget = async (context: WriteContext, id: string, given: GadgetEdit): Promise<GadgetRow> => {
  const row = await gadgets.requireActive(context, id);
  const body = unwrapOrThrow(parseRequest(gadgetEdit, given));
  if (body.actions !== undefined) {
    const remaining = new Set(body.actions.map(action => action.id));
    await requireUnusedActions(
      context,
      id,
      new Set(parseObjectIds(row.actions).filter(action => !remaining.has(action))),
    );
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
export const deleteGadgetWithDevice = (context: WriteContext, row: GadgetRow): Promise<GadgetRow> =>
  gadgets.deleteRow(context, row);

export const deleteGadget = (context: WriteContext, id: string): Promise<GadgetRow> =>
  gadgets.delete(context, id, async ({ device_id }) => {
    const device = await requireRow(context, 'devices', 'device', device_id);
    const others = await activeGadgetsOf(context, device_id);
    checkGadgetCount(capabilitiesOf(device), others.length - 1, 'device_id');
  });
