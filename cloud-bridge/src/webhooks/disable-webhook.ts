import type { BridgeServices } from '../services.ts';
import { systemActor } from '../transactions/actor.ts';
import { findRow, updateRow } from '../transactions/row-operations.ts';

/** Disables a webhook that has failed for a day. Its pending events are delivered when it is enabled again. */
export const disableWebhook = (
  { writer }: Pick<BridgeServices, 'writer'>,
  organizationId: string,
  webhookId: string,
): Promise<void> =>
  writer.write(organizationId, systemActor, async context => {
    const row = await findRow(context, 'webhooks', webhookId);
    if (row === undefined || row.is_deleted === 1 || row.is_enabled === 0) return;
    await updateRow(context, 'webhooks', row, { is_enabled: 0 });
    context.log({ verb: 'edit', object: { type: 'webhook', webhook_id: webhookId }, reason: 'failing' });
  });
