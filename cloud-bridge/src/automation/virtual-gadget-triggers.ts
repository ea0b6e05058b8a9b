import type { GadgetId, SiteId } from '@lintel/access-core/ids';
import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic';
import { type ChainDepths, getChainDepth, recordChainDepth } from '@lintel/access-core/triggers/chain-depth';
import { fireTriggers, type TriggerInput, type TriggerEffect } from '@lintel/access-core/triggers/fire-triggers';
import type { GadgetTrigger } from '@lintel/access-core/triggers/gadget-trigger';
import { actionEventObject, findActionTarget } from '../actions/action-target.ts';
import { ApiError, invalidFieldError } from '../http/api-error.ts';
import { parseObjectIds, isVirtualDevice } from '../resources/device-constraints.ts';
import type { OrganizationEventRow } from '../storage/schema.ts';
import { findRow, requireActiveRow, updateRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

const triggersAt = async ({ db, organizationId }: WriteContext, siteId: SiteId): Promise<GadgetTrigger[]> => {
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

/**
 * Fires gadget triggers of virtual devices, which exist only in the bridge. Triggers of controllers run on the
 * controllers. Call with the system actor.
 */
export class VirtualGadgetTriggers {
  readonly #now: () => MonotonicTime;
  #depths: ChainDepths = new Map();

  constructor(monotonicMilliseconds: () => number) {
    this.#now = () => monotonic(monotonicMilliseconds());
  }

  /** Stores the state of a gadget, and logs it if it has changed. */
  async reportState(context: WriteContext, gadgetId: string, stateId: string): Promise<void> {
    const gadget = await requireActiveRow(context, 'gadgets', 'gadget', gadgetId);
    if (!parseObjectIds(gadget.states).includes(stateId))
      throw invalidFieldError('state_id', `${gadgetId} has no state ${stateId}`);
    if (gadget.state_id === stateId) return;
    await updateRow(context, 'gadgets', gadget, { state_id: stateId });
    const { device_id, site_id } = gadget;
    const object = { type: 'gadget_state', gadget_id: gadgetId, gadget_state_id: stateId, device_id, site_id };
    context.log({ verb: 'edit', object });
    const happening = {
      type: 'state',
      gadget_id: gadgetId as GadgetId,
      before: gadget.state_id,
      after: stateId,
    } as const;
    await this.#fireFromGadget(context, gadgetId as GadgetId, device_id, site_id as SiteId, happening);
  }

  async reportSignal(context: WriteContext, gadgetId: string, signalId: string): Promise<void> {
    const gadget = await requireActiveRow(context, 'gadgets', 'gadget', gadgetId);
    if (!parseObjectIds(gadget.signals).includes(signalId))
      throw invalidFieldError('signal_id', `${gadgetId} has no signal ${signalId}`);
    const { device_id, site_id } = gadget;
    const object = { type: 'gadget_signal', gadget_id: gadgetId, gadget_signal_id: signalId, device_id, site_id };
    context.log({ verb: 'use', object });
    const happening = { type: 'signal', gadget_id: gadgetId as GadgetId, signal_id: signalId } as const;
    await this.#fireFromGadget(context, gadgetId as GadgetId, device_id, site_id as SiteId, happening);
  }

  /** An action of a person starts a new chain. */
  resetChainsAfterUserActions(events: readonly OrganizationEventRow[]): void {
    for (const { verb, object_type, object_gadget_id, object_gadget_trigger_id } of events) {
      const isUserAction = verb === 'use' && object_type === 'gadget_action' && object_gadget_trigger_id === null;
      if (!isUserAction || !this.#depths.has(object_gadget_id as GadgetId)) continue;
      this.#depths = recordChainDepth(this.#depths, object_gadget_id as GadgetId, 0, this.#now());
    }
  }

  /** A schedule starts a new chain. */
  async scheduleChanged(context: WriteContext, happening: Extract<TriggerInput, { type: 'schedule' }>): Promise<void> {
    await this.#fire(context, happening.site_id, happening, 0);
  }

  async #fireFromGadget(
    context: WriteContext,
    gadgetId: GadgetId,
    deviceId: string,
    siteId: SiteId,
    happening: TriggerInput,
  ): Promise<void> {
    const device = await findRow(context, 'devices', deviceId);
    if (device === undefined || !isVirtualDevice(device)) return;
    await this.#fire(context, siteId, happening, getChainDepth(this.#depths, gadgetId, this.#now()));
  }

  async #fire(context: WriteContext, siteId: SiteId, happening: TriggerInput, depth: number): Promise<void> {
    const effects = fireTriggers(await triggersAt(context, siteId), happening, depth);
    for (const effect of effects) {
      if (effect.type === 'execute_action') await this.#execute(context, effect);
      else this.#logStoppedChain(context, siteId, effect);
    }
  }

  async #execute(context: WriteContext, effect: Extract<TriggerEffect, { type: 'execute_action' }>): Promise<void> {
    const target = await findActionTarget(context, effect.gadget_id, effect.action_id).catch((error: unknown) => {
      if (error instanceof ApiError) return null;
      throw error;
    });
    if (target === null || !isVirtualDevice(target.device)) return;
    context.log({ verb: 'use', object: { ...actionEventObject(target), gadget_trigger_id: effect.trigger_id } });
    this.#depths = recordChainDepth(this.#depths, effect.gadget_id, effect.depth, this.#now());
  }

  #logStoppedChain(
    context: WriteContext,
    siteId: SiteId,
    effect: Extract<TriggerEffect, { type: 'trigger_chain_stopped' }>,
  ): void {
    for (const id of effect.trigger_ids) {
      const object = { type: 'gadget_trigger', gadget_trigger_id: id, site_id: siteId };
      context.log({ verb: 'deny', object, reason: 'trigger_chain_stopped' });
    }
  }
}
