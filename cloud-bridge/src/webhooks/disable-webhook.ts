import type { Services } from '../services.ts';
import { system } from '../transactions/actor.ts';
import { findRow, updateRow } from '../transactions/rows.ts';

/** For a receiver that has failed for a day. Its events wait; whoever enables it again gets them. */
export const disableWebhook = (
  { writer }: Pick<Services, 'writer'>,
  organizationId: string,
  webhookId: string,
): Promise<void> =>
  writer.write(organizationId, system, async context => {
    const row = await findRow(context, 'webhooks', webhookId);
    if (row === undefined || row.is_deleted === 1 || row.is_enabled === 0) return;
    await updateRow(context, 'webhooks', row, { is_enabled: 0 });
    context.log({ verb: 'edit', object: { type: 'webhook', webhook_id: webhookId }, reason: 'failing' });
  });
