import type { BridgeServices } from '../bridge-services-interface.ts';
import { buildWebhookSecretSealContext } from '../resources/webhooks.ts';
import { unsealSecret } from '../secrets/sealing.ts';
import type { RecordedOrganizationChanges } from '../transactions/record-organization-changes.ts';
import { WebhookDispatcher } from './delivery-queue-dispatcher.ts';
import { createLeaseOwnerId } from '../tasks/lease-owner.ts';
import { WebhookDeliveryRecorder } from './batched-delivery-and-lease-writer.ts';
import type { WebhookOutbox } from './outbox.ts';
import { WebhookPayloadBuilder } from './webhook-payload-builder.ts';
import type { WebhookReceiver } from './pending-deliveries.ts';
import { WebhookClient } from './webhook-client.ts';
import { systemActor } from '../transactions/actor.ts';
import { findRow, updateRow } from '../transactions/row-operations.ts';

/** Shows a webhook as failing since this time, or as working (null), and logs the change. Deliveries continue. */
const recordWebhookFailingSince = (
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

export interface WebhookDeliveryServiceOptions {
  readonly sweepMs: number;
  readonly random: () => number;
  /** Called after each attempt. */
  readonly onAttempt?: (outcome: 'delivered' | 'retry' | 'failed') => void;
  readonly onError: (error: unknown) => void;
}

export interface WebhookDeliveryService {
  start(): Promise<void>;
  /** Call when another bridge has committed events of this organization. */
  wakeOrganization(organizationId: string): void;
  close(): Promise<void>;
}

const changedWebhookIds = ({ events }: RecordedOrganizationChanges): string[] =>
  events.flatMap(({ object_type, object_webhook_id: id }) => (object_type === 'webhook' && id !== null ? [id] : []));

/** Delivers events from the outbox to the webhook receivers. */
export const createWebhookDeliveryService = (
  services: BridgeServices,
  outbox: WebhookOutbox,
  options: WebhookDeliveryServiceOptions,
): WebhookDeliveryService => {
  const { storage, reader, writer, masterKeys, clock } = services;
  const { onError, sweepMs, random, onAttempt } = options;
  const owner = createLeaseOwnerId();
  const client = new WebhookClient(services.webhookAddresses, clock);
  const payloads = new WebhookPayloadBuilder(storage, reader);
  const recorder = new WebhookDeliveryRecorder({
    storage,
    owner,
    clock,
    onError,
    onRecord: ({ status }) => onAttempt?.(status === 'pending' ? 'retry' : status),
  });
  const secretOf = ({ id, organization_id, sealed_secret }: WebhookReceiver): string =>
    unsealSecret(masterKeys, sealed_secret, buildWebhookSecretSealContext(organization_id, id));
  const reportHealth = (receiver: WebhookReceiver, failingSince: number | null): Promise<void> =>
    recordWebhookFailingSince(services, receiver, failingSince);
  const dispatcher = new WebhookDispatcher({
    storage,
    owner,
    clock,
    recorder,
    onError,
    sweepMs,
    createWorkerDependencies: stopping => {
      // Ends the requests that are running.
      stopping.addEventListener('abort', () => void client.close());
      return { storage, client, payloads, recorder, clock, random, secretOf, reportHealth, stopping };
    },
  });
  writer.onCommitted(recorded => {
    const webhookIds = outbox.onCommitted(recorded);
    if (webhookIds.length > 0) {
      payloads.cache(recorded.events);
      dispatcher.wake(webhookIds);
    }
    const changed = changedWebhookIds(recorded);
    if (changed.length > 0) dispatcher.reload(changed);
  });
  return {
    start: () => dispatcher.start(),
    wakeOrganization: organizationId => dispatcher.wakeOrganization(organizationId),
    close: async () => {
      await dispatcher.close();
      await client.close();
    },
  };
};
