import type { Services } from '../services.ts';
import { webhookSecretContext } from '../resources/webhooks.ts';
import { unseal } from '../secrets/sealing.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import type { RecordedJournal } from '../transactions/journal.ts';
import { AddressGuard } from './address-guard.ts';
import { forgetOldDeliveries } from './delivery-retention.ts';
import { disableWebhook } from './disable-webhook.ts';
import { Dispatcher } from './dispatcher.ts';
import { newLeaseOwner } from './lease-owner.ts';
import { OutcomeRecorder } from './outcome-recorder.ts';
import type { Outbox } from './outbox.ts';
import { Payloads } from './payload.ts';
import type { Receiver } from './pending-deliveries.ts';
import { WebhookClient } from './webhook-client.ts';

export interface WebhookOptions {
  /** Ranges that may be called though they are not public. */
  readonly allow: readonly string[];
  readonly sweepMs: number;
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
}

export interface WebhookDelivery {
  start(): Promise<void>;
  /** Another bridge has committed something of this organization. */
  stir(organizationId: string): void;
  close(): Promise<void>;
}

const RETENTION_MS = 3_600_000;

const changedWebhooks = ({ events }: RecordedJournal): string[] =>
  events.flatMap(({ object_type, object_webhook_id: id }) => (object_type === 'webhook' && id !== null ? [id] : []));

/** Everything between the outbox and the receivers. */
export const createWebhookDelivery = (services: Services, outbox: Outbox, options: WebhookOptions): WebhookDelivery => {
  const { storage, reader, writer, masterKeys, clock } = services;
  const { onError, sweepMs, random } = options;
  const owner = newLeaseOwner();
  const client = new WebhookClient(new AddressGuard(options.allow), clock);
  const payloads = new Payloads(storage, reader);
  const recorder = new OutcomeRecorder({ storage, owner, clock, onError });
  const secretOf = ({ id, organization_id, sealed_secret }: Receiver): string =>
    unseal(masterKeys, sealed_secret, webhookSecretContext(organization_id, id));
  const disable = ({ organization_id, id }: Receiver): Promise<void> => disableWebhook(services, organization_id, id);
  const dispatcher = new Dispatcher({
    storage,
    owner,
    clock,
    recorder,
    onError,
    sweepMs,
    laneWith: stopping => ({ storage, client, payloads, recorder, clock, random, secretOf, disable, stopping }),
  });
  const retention = new PeriodicTask(() => forgetOldDeliveries(storage, clock()), RETENTION_MS, onError);
  writer.onCommitted(recorded => {
    const woken = outbox.committed(recorded);
    if (woken.length > 0) {
      payloads.remember(recorded.events);
      dispatcher.wake(woken);
    }
    const changed = changedWebhooks(recorded);
    if (changed.length > 0) dispatcher.changed(changed);
  });
  return {
    start: async () => {
      await dispatcher.start();
      retention.start();
    },
    stir: organizationId => dispatcher.stir(organizationId),
    close: async () => {
      await retention.stop();
      await dispatcher.close();
      await client.close();
    },
  };
};
