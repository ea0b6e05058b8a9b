import type { BridgeServices } from '../bridge-services-interface.ts';
import { systemActor } from '../transactions/actor.ts';
import { runVirtualGadgetTimer } from './virtual-gadgets.ts';

/**
 * Relocks doors and stops blinds whose time is over. Called periodically by every bridge: the write runs under the
 * organization's lock and the stored machine decides, so that only one bridge performs each change. A gadget that
 * fails does not stop the others.
 */
export const runDueVirtualGadgetTimers = async (
  { storage, writer, clock }: Pick<BridgeServices, 'storage' | 'writer' | 'clock'>,
  onError: (error: unknown) => void,
): Promise<void> => {
  const due = await storage.reader
    .selectFrom('virtual_gadgets')
    .select(['gadget_id', 'organization_id'])
    .where('due_at', '<=', clock())
    .orderBy('due_at')
    .execute();
  for (const { gadget_id, organization_id } of due) {
    await writer
      .write(organization_id, systemActor, context => runVirtualGadgetTimer(context, gadget_id))
      .catch(onError);
  }
};
