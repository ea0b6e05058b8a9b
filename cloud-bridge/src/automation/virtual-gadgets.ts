import {
  computeRestingStateId,
  stepVirtualGadget,
  type VirtualGadgetInput,
} from '@lintel/access-core/gadgets/virtual-gadget';
import type { GadgetId } from '@lintel/access-core/ids';
import {
  computeTriggerEffects,
  type TriggerInput,
  type TriggerEffect,
} from '@lintel/access-core/triggers/compute-trigger-effects';
import type { GadgetTrigger } from '@lintel/access-core/triggers/gadget-trigger';
import { type AuthorizedAction, authorizeStrike } from '../authorization/authorize-strike.ts';
import { ApiError, createInvalidFieldError } from '../http/api-error.ts';
import { toGadgetActionEventObject } from '../resources/require-gadget-action.ts';
import { parseIdsOfJsonObjects, toVirtualGadgetDefinition } from '../resources/read-gadget-rows.ts';
import { isVirtualDevice, requireVirtualDevice } from '../resources/gateway-and-virtual-devices.ts';
import type { GadgetRow } from '../storage/schema.ts';
import { systemActor } from '../transactions/actor.ts';
import { findRow, requireActiveRow, requireRow, updateRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import {
  deleteVirtualGadgetMachine,
  loadVirtualGadgetMachine,
  saveVirtualGadgetMachine,
  getVirtualGadgetTime,
} from './virtual-gadget-state-machine-store.ts';

/*
 * Virtual devices exist only in the bridge, which runs the state machines and triggers of their gadgets. Real devices
 * run their own.
 */

const triggersAt = async ({ db, organizationId }: WriteContext, siteId: string): Promise<GadgetTrigger[]> => {
  const rows = await db
    .selectFrom('gadget_triggers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('is_deleted', '=', 0)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(row => ({ ...row, is_deleted: false }) as unknown as GadgetTrigger);
};

const logStoppedChain = (
  context: WriteContext,
  site_id: string,
  { trigger_ids }: Extract<TriggerEffect, { type: 'trigger_chain_stopped' }>,
): void => {
  for (const gadget_trigger_id of trigger_ids) {
    const object = { type: 'gadget_trigger', gadget_trigger_id, site_id };
    context.log({ verb: 'deny', object, reason: 'trigger_chain_stopped' }, systemActor);
  }
};

const executeTriggeredAction = async (
  context: WriteContext,
  effect: Extract<TriggerEffect, { type: 'execute_action' }>,
): Promise<void> => {
  const target = await authorizeStrike(
    context,
    { kind: 'trigger', gadgetTriggerId: effect.trigger_id },
    { gadgetId: effect.gadget_id, actionId: effect.action_id },
  ).catch((error: unknown) => {
    if (error instanceof ApiError) return null;
    throw error;
  });
  if (target === null || !isVirtualDevice(target.device)) return;
  const object = { ...toGadgetActionEventObject(target), gadget_trigger_id: effect.trigger_id };
  context.log({ verb: 'use', object }, systemActor);
  await executeVirtualGadgetAction(context, target, effect.depth);
};

const fire = async (context: WriteContext, siteId: string, input: TriggerInput, depth: number): Promise<void> => {
  for (const effect of computeTriggerEffects(await triggersAt(context, siteId), input, depth)) {
    if (effect.type === 'execute_action') await executeTriggeredAction(context, effect);
    else logStoppedChain(context, siteId, effect);
  }
};

/** Stores and logs a changed state, and fires its triggers. */
const changeState = async (
  context: WriteContext,
  gadget: GadgetRow,
  stateId: string,
  { depth, at }: { readonly depth: number; readonly at: number },
): Promise<void> => {
  if (gadget.state_id === stateId) return;
  await updateRow(context, 'gadgets', gadget, { state_id: stateId });
  const { id, device_id, site_id } = gadget;
  const object = { type: 'gadget_state', gadget_id: id, gadget_state_id: stateId, device_id, site_id };
  context.log({ verb: 'edit', object, created_at: at }, systemActor);
  const before = gadget.state_id ?? computeRestingStateId(toVirtualGadgetDefinition(gadget));
  await fire(context, site_id, { type: 'state', gadget_id: id as GadgetId, before, after: stateId }, depth);
};

const stepGadget = async (
  context: WriteContext,
  gadget: GadgetRow,
  input: VirtualGadgetInput,
  actionDepth: number | null,
): Promise<void> => {
  const stored = await loadVirtualGadgetMachine(context, gadget.id);
  const chainDepth = actionDepth ?? stored.chainDepth;
  const current = { machine: stored.machine, state_id: gadget.state_id };
  const { machine, reports } = stepVirtualGadget(
    toVirtualGadgetDefinition(gadget),
    current,
    input,
    getVirtualGadgetTime(context),
  );
  await saveVirtualGadgetMachine(context, gadget.id, { machine, chainDepth });
  for (const { state_id, at } of reports) {
    const latest = await requireRow(context, 'gadgets', 'gadget', gadget.id);
    await changeState(context, latest, state_id, { depth: chainDepth, at });
  }
};

/** `depth` is the number of triggers that led to the action. The caller logs the action. */
export const executeVirtualGadgetAction = (
  context: WriteContext,
  { gadget, actionId }: AuthorizedAction,
  depth = 0,
): Promise<void> => stepGadget(context, gadget, { type: 'action', action_id: actionId }, depth);

/** Continues a state machine whose deadline has passed. Deletes the machine if the gadget is no longer virtual. */
export const runVirtualGadgetTimer = async (context: WriteContext, gadgetId: string): Promise<void> => {
  const gadget = await findRow(context, 'gadgets', gadgetId);
  const device = gadget === undefined ? undefined : await findRow(context, 'devices', gadget.device_id);
  if (gadget?.is_deleted !== 0 || device?.is_deleted !== 0 || !isVirtualDevice(device)) {
    return deleteVirtualGadgetMachine(context, gadgetId);
  }
  await stepGadget(context, gadget, { type: 'timer' }, null);
};

const requireVirtualGadget = async (
  context: WriteContext,
  gadgetId: string,
  field: 'state_id' | 'signal_id',
): Promise<GadgetRow> => {
  const gadget = await requireActiveRow(context, 'gadgets', 'gadget', gadgetId);
  requireVirtualDevice(await requireRow(context, 'devices', 'device', gadget.device_id), field);
  return gadget;
};

/** A state that a client reports in place of the missing hardware. The next action starts from it. */
export const recordVirtualGadgetState = async (
  context: WriteContext,
  gadgetId: string,
  stateId: string,
): Promise<void> => {
  const gadget = await requireVirtualGadget(context, gadgetId, 'state_id');
  if (!parseIdsOfJsonObjects(gadget.states).includes(stateId))
    throw createInvalidFieldError('state_id', `must be the id of a state of the gadget ${gadgetId}`);
  const { chainDepth } = await loadVirtualGadgetMachine(context, gadgetId);
  await saveVirtualGadgetMachine(context, gadgetId, { machine: null, chainDepth });
  await changeState(context, gadget, stateId, { depth: chainDepth, at: context.now });
};

/** A signal that a client reports in place of the missing hardware. */
export const recordVirtualGadgetSignal = async (
  context: WriteContext,
  gadgetId: string,
  signalId: string,
): Promise<void> => {
  const gadget = await requireVirtualGadget(context, gadgetId, 'signal_id');
  if (!parseIdsOfJsonObjects(gadget.signals).includes(signalId))
    throw createInvalidFieldError('signal_id', `must be the id of a signal of the gadget ${gadgetId}`);
  const { device_id, site_id } = gadget;
  const object = { type: 'gadget_signal', gadget_id: gadgetId, gadget_signal_id: signalId, device_id, site_id };
  context.log({ verb: 'use', object });
  const { chainDepth } = await loadVirtualGadgetMachine(context, gadgetId);
  await fire(context, site_id, { type: 'signal', gadget_id: gadgetId as GadgetId, signal_id: signalId }, chainDepth);
};

/** A schedule starts a new chain. */
export const fireScheduleTriggers = (
  context: WriteContext,
  input: Extract<TriggerInput, { type: 'schedule' }>,
): Promise<void> => fire(context, input.site_id, input, 0);
