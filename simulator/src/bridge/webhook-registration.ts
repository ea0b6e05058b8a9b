import type { EventAnswer } from '@lintel/wire-protocol/rest/event';
import type { WebhookAnswer, WebhookCreated } from '@lintel/wire-protocol/rest/webhook';
import type { WebhookDeliveryAnswer } from '@lintel/wire-protocol/rest/webhook-delivery';
import { type BridgeClient, BridgeStatusError } from './bridge-client.ts';

/** The secret is shown once, by the bridge that made it: whoever loses it makes another webhook. */
export interface KeptWebhook {
  readonly id: string;
  readonly secret: string;
}

const filter = ['gadget_action', 'gadget_state', 'gadget_signal', 'device'].map(object_type => ({ object_type }));

/** The kept webhook at its present address, or a new one where there is none. */
export const registerWebhook = async (
  bridge: BridgeClient,
  kept: KeptWebhook | null,
  url: string,
): Promise<KeptWebhook> => {
  if (kept !== null) {
    try {
      await bridge.api<WebhookAnswer>('PATCH', `/webhooks/${kept.id}`, { url, filter, is_enabled: true });
      return kept;
    } catch (error) {
      if (!(error instanceof BridgeStatusError) || error.status !== 404) throw error;
    }
  }
  const { id, secret } = await bridge.api<WebhookCreated>('POST', '/webhooks', { url, filter });
  return { id, secret };
};

export interface Delivered {
  readonly event: EventAnswer;
  readonly at: string | null;
}

const PAST = 50;

/** What came of the newest events in earlier runs, the oldest first. */
export const pastEvents = async (bridge: BridgeClient, webhookId: string): Promise<readonly Delivered[]> => {
  const path = `/webhooks/${webhookId}/deliveries?expand=event&limit=${PAST}&sort=created_at:desc`;
  const { data } = await bridge.api<{ data: (WebhookDeliveryAnswer & { event?: EventAnswer })[] }>('GET', path);
  return data
    .flatMap(({ event, status, last_attempt_at }) =>
      event === undefined ? [] : [{ event, at: status === 'delivered' ? (last_attempt_at ?? null) : null }],
    )
    .toReversed();
};
