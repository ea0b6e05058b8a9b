import type { VirtualGadgetMachineState } from '@lintel/access-core/gadgets/virtual-gadget';
import { nextVirtualGadgetDeadline } from '@lintel/access-core/gadgets/virtual-gadget';
import type { GadgetId } from '@lintel/access-core/ids';
import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import { getTriggerChainDepth, setTriggerChainDepth } from '@lintel/access-core/triggers/trigger-chain-depths';
import type { WriteContext } from '../transactions/organization-writer.ts';

/** What the bridge stores about a virtual gadget besides its state. */
export interface StoredVirtualGadgetMachine {
  readonly machine: VirtualGadgetMachineState;
  /** Number of triggers that led to the last action; 0 if a person or a schedule caused it. */
  readonly chainDepth: number;
}

/** The wall clock, because the timers outlast a restart. After it was set back, a door relocks later. */
export const getVirtualGadgetTime = ({ now }: WriteContext): MonotonicTime => monotonic(now);

/** The outputs of a blind are the only map. */
const serializeMachine = (machine: VirtualGadgetMachineState): string | null =>
  machine === null ? null : JSON.stringify(machine, (_, value: unknown) => (value instanceof Map ? [...value] : value));

const parseMachine = (text: string | null): VirtualGadgetMachineState =>
  text === null
    ? null
    : (JSON.parse(text, (key, value: unknown) =>
        key === 'outputs' ? new Map(value as [string, unknown][]) : value,
      ) as VirtualGadgetMachineState);

export const loadVirtualGadgetMachine = async (
  context: WriteContext,
  gadgetId: string,
): Promise<StoredVirtualGadgetMachine> => {
  const row = await context.db
    .selectFrom('virtual_gadgets')
    .selectAll()
    .where('gadget_id', '=', gadgetId)
    .executeTakeFirst();
  if (row === undefined) return { machine: null, chainDepth: 0 };
  const id = gadgetId as GadgetId;
  const chain = new Map([[id, { depth: row.chain_depth, until: monotonic(row.chain_until) }]]);
  return {
    machine: parseMachine(row.machine),
    chainDepth: getTriggerChainDepth(chain, id, getVirtualGadgetTime(context)),
  };
};

export const deleteVirtualGadgetMachine = async ({ db }: WriteContext, gadgetId: string): Promise<void> => {
  await db.deleteFrom('virtual_gadgets').where('gadget_id', '=', gadgetId).execute();
};

export const saveVirtualGadgetMachine = async (
  context: WriteContext,
  gadgetId: string,
  { machine, chainDepth }: StoredVirtualGadgetMachine,
): Promise<void> => {
  const chain = setTriggerChainDepth(new Map(), gadgetId as GadgetId, chainDepth, getVirtualGadgetTime(context));
  const columns = {
    machine: serializeMachine(machine),
    due_at: nextVirtualGadgetDeadline(machine),
    chain_depth: chainDepth,
    chain_until: chain.get(gadgetId as GadgetId)?.until ?? 0,
  };
  if (columns.machine === null && chainDepth === 0) return deleteVirtualGadgetMachine(context, gadgetId);
  await context.db
    .insertInto('virtual_gadgets')
    .values({ gadget_id: gadgetId, organization_id: context.organizationId, ...columns })
    .onConflict(conflict => conflict.column('gadget_id').doUpdateSet(columns))
    .execute();
};
