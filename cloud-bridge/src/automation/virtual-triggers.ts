import type { GadgetId, SiteId } from '@lintel/access-core/ids';
import { type Monotonic, monotonic } from '@lintel/access-core/monotonic';
import { type ChainDepths, depthOf, rememberDepth } from '@lintel/access-core/triggers/chain-depth';
import { fireTriggers, type Happening, type TriggerEffect } from '@lintel/access-core/triggers/fire-triggers';
import type { GadgetTrigger } from '@lintel/access-core/triggers/gadget-trigger';
import { actionObject, findTarget } from '../actions/action-target.ts';
import { ApiError, invalid } from '../http/api-error.ts';
import { idsOf, isVirtual } from '../resources/device-constraints.ts';
import type { EventRow } from '../storage/schema.ts';
import { findRow, requireLivingRow, updateRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';

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
 * Gadget triggers of virtual devices, which exist in the bridge alone. Those of real ones run on their site, without the
 * cloud. To be called with the bridge itself as the actor: nobody else has acted.
 */
export class VirtualTriggers {
  readonly #now: () => Monotonic;
  #depths: ChainDepths = new Map();

  constructor(monotonicMilliseconds: () => number) {
    this.#now = () => monotonic(monotonicMilliseconds());
  }

  /** A gadget is in a state: known from now on, and told when it is another one than before. */
  async reportState(context: WriteContext, gadgetId: string, stateId: string): Promise<void> {
    const gadget = await requireLivingRow(context, 'gadgets', 'gadget', gadgetId);
    if (!idsOf(gadget.states).includes(stateId)) throw invalid('state_id', `${gadgetId} has no state ${stateId}`);
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
    await this.#fromGadget(context, gadgetId as GadgetId, device_id, site_id as SiteId, happening);
  }

  async reportSignal(context: WriteContext, gadgetId: string, signalId: string): Promise<void> {
    const gadget = await requireLivingRow(context, 'gadgets', 'gadget', gadgetId);
    if (!idsOf(gadget.signals).includes(signalId)) throw invalid('signal_id', `${gadgetId} has no signal ${signalId}`);
    const { device_id, site_id } = gadget;
    const object = { type: 'gadget_signal', gadget_id: gadgetId, gadget_signal_id: signalId, device_id, site_id };
    context.log({ verb: 'use', object });
    const happening = { type: 'signal', gadget_id: gadgetId as GadgetId, signal_id: signalId } as const;
    await this.#fromGadget(context, gadgetId as GadgetId, device_id, site_id as SiteId, happening);
  }

  /** What a person does begins a chain anew. */
  noticeActions(events: readonly EventRow[]): void {
    for (const { verb, object_type, object_gadget_id, object_gadget_trigger_id } of events) {
      const byPerson = verb === 'use' && object_type === 'gadget_action' && object_gadget_trigger_id === null;
      if (!byPerson || !this.#depths.has(object_gadget_id as GadgetId)) continue;
      this.#depths = rememberDepth(this.#depths, object_gadget_id as GadgetId, 0, this.#now());
    }
  }

  /** What a clock does begins a chain. */
  async scheduleChanged(context: WriteContext, happening: Extract<Happening, { type: 'schedule' }>): Promise<void> {
    await this.#fire(context, happening.site_id, happening, 0);
  }

  async #fromGadget(
    context: WriteContext,
    gadgetId: GadgetId,
    deviceId: string,
    siteId: SiteId,
    happening: Happening,
  ): Promise<void> {
    const device = await findRow(context, 'devices', deviceId);
    if (device === undefined || !isVirtual(device)) return;
    await this.#fire(context, siteId, happening, depthOf(this.#depths, gadgetId, this.#now()));
  }

  async #fire(context: WriteContext, siteId: SiteId, happening: Happening, depth: number): Promise<void> {
    const effects = fireTriggers(await triggersAt(context, siteId), happening, depth);
    for (const effect of effects) {
      if (effect.type === 'execute_action') await this.#execute(context, effect);
      else this.#tellOfStop(context, siteId, effect);
    }
  }

  async #execute(context: WriteContext, effect: Extract<TriggerEffect, { type: 'execute_action' }>): Promise<void> {
    const target = await findTarget(context, effect.gadget_id, effect.action_id).catch((error: unknown) => {
      if (error instanceof ApiError) return null;
      throw error;
    });
    if (target === null || !isVirtual(target.device)) return;
    context.log({ verb: 'use', object: { ...actionObject(target), gadget_trigger_id: effect.trigger_id } });
    this.#depths = rememberDepth(this.#depths, effect.gadget_id, effect.depth, this.#now());
  }

  #tellOfStop(
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
