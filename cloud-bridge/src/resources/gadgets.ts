import { type GadgetCreate, type GadgetEdit, gadgetCreate, gadgetEdit } from '@lintel/wire-protocol/rest/gadget';
import { parseRequest } from '@lintel/wire-protocol/rest/request';
import { invalid, orThrow } from '../http/api-error.ts';
import type { DeviceRow, GadgetRow } from '../storage/schema.ts';
import { Resource } from '../transactions/resource.ts';
import { requireReference, requireRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import {
  capabilitiesOf,
  checkGadgetCount,
  idsOf,
  livingGadgetsOf,
  requireUnusedActions,
} from './device-constraints.ts';

const gadgets = new Resource('gadget', 'gadgets', { references: ['device_id', 'site_id'] });

/** Without a look at how many the device has already: that is judged where they are counted. */
export const addGadget = async (context: WriteContext, device: DeviceRow, given: GadgetCreate): Promise<GadgetRow> => {
  const body = orThrow(parseRequest(gadgetCreate, given));
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
  const row = await gadgets.requireLiving(context, id);
  const body = orThrow(parseRequest(gadgetEdit, given));
  if (body.actions !== undefined) {
    const kept = new Set(body.actions.map(action => action.id));
    await requireUnusedActions(context, id, new Set(idsOf(row.actions).filter(action => !kept.has(action))));
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

/** Also the only gadget of a device that must have one: for when the device goes with it. */
export const removeGadget = (context: WriteContext, row: GadgetRow): Promise<GadgetRow> => gadgets.remove(context, row);

export const deleteGadget = (context: WriteContext, id: string): Promise<GadgetRow> =>
  gadgets.delete(context, id, async ({ device_id }) => {
    const device = await requireRow(context, 'devices', 'device', device_id);
    const others = await livingGadgetsOf(context, device_id);
    checkGadgetCount(capabilitiesOf(device), others.length - 1, 'device_id');
  });
