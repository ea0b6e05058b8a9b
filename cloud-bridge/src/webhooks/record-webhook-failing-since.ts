import type { BridgeServices } from '../bridge-services-interface.ts';
import { systemActor } from '../transactions/actor.ts';
import { findRow, updateRow } from '../transactions/row-operations.ts';

/** Shows a webhook as failing since this time, or as working (null), and logs the change. Deliveries continue. */
export const recordWebhookFailingSince = (
  { writer }: Pick<BridgeServices, 'writer'>,
  webhook: { readonly organization_id: string; readonly id: string },
  failingSince: number | null,
): Promise<void> =>
  writer.write(webhook.organization_id, systemActor, async context => {
    const row = await findRow(context, 'webhooks', webhook.id);
    if (row === undefined || row.is_deleted === 1 || (row.failing_since === null) === (failingSince === null)) return;
    await updateRow(context, 'webhooks', row, { failing_since: failingSince });
    const reason = failingSince === null ? 'recovered' : 'failing';
    context.log({ verb: 'edit', object: { type: 'webhook', webhook_id: webhook.id }, reason });
  });
