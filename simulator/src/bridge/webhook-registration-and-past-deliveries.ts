import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import type { WebhookResponse, WebhookCreatedResponse } from '@lintel/wire-protocol/rest/webhook';
import type { WebhookDeliveryResponse } from '@lintel/wire-protocol/rest/webhook-delivery';
import { type DemoBridgeClient, BridgeHttpStatusError } from './demo-bridge-client.ts';

/** The bridge shows the secret only once. A lost secret requires a new webhook. */
export interface RegisteredWebhook {
  readonly id: string;
  readonly secret: string;
}

const filter = ['gadget_action', 'gadget_state', 'gadget_signal', 'device'].map(object_type => ({ object_type }));

/** Updates the address of the stored webhook, or registers a new webhook. */
export const registerOrUpdateWebhook = async (
  bridge: DemoBridgeClient,
  stored: RegisteredWebhook | null,
  url: string,
): Promise<RegisteredWebhook> => {
  if (stored !== null) {
    try {
      await bridge.api<WebhookResponse>('PATCH', `/webhooks/${stored.id}`, { url, filter, is_enabled: true });
      return stored;
    } catch (error) {
      if (!(error instanceof BridgeHttpStatusError) || error.status !== 404) throw error;
    }
  }
  const { id, secret } = await bridge.api<WebhookCreatedResponse>('POST', '/webhooks', { url, filter });
  return { id, secret };
};

export interface PastWebhookDelivery {
  readonly event: EventResponse;
  /** Null when the event is not delivered. */
  readonly at: string | null;
}

const MAX_PAST_DELIVERIES = 50;

/** The newest deliveries of earlier runs, oldest first. */
export const listPastWebhookDeliveries = async (
  bridge: DemoBridgeClient,
  webhookId: string,
): Promise<readonly PastWebhookDelivery[]> => {
  const path = `/webhooks/${webhookId}/deliveries?expand=event&limit=${MAX_PAST_DELIVERIES}&sort=created_at:desc`;
  const { data } = await bridge.api<{ data: (WebhookDeliveryResponse & { event?: EventResponse })[] }>('GET', path);
  return data
    .flatMap(({ event, status, last_attempt_at }) =>
      event === undefined ? [] : [{ event, at: status === 'delivered' ? (last_attempt_at ?? null) : null }],
    )
    .toReversed();
};
