import type { WebhookResponse } from '@lintel/wire-protocol/rest/webhook';
import type { WebhookDeliveryResponse } from '@lintel/wire-protocol/rest/webhook-delivery';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import { EVENT_EXPAND_NAMES } from '../../api/event-expand-parameter.ts';
import { usePagedApiList } from '../../api/resource-hooks.ts';
import { ErrorNotice } from '../../components/load-error.tsx';
import { LoadingIndicator } from '../../components/loading-indicator.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { describeEvent, type ExpandedEvent } from '../../events/describe-event.ts';
import { useMessages } from '../../messages/language.ts';
import { useSiteTimeFormats } from '../../time/use-site-time-formats.ts';
import { WebhookDeliveryDetailsDialog } from './webhook-delivery-details-dialog.tsx';

const deliveryLevels: Readonly<Record<string, 'ok' | 'error' | 'warning'>> = {
  delivered: 'ok',
  failed: 'error',
  pending: 'warning',
};

interface DeliveryWithEvent extends WebhookDeliveryResponse {
  /** Null if the event is gone. */
  readonly event?: ExpandedEvent | null;
}

/** What the sentence about the event of a delivery names. */
const EVENT_NAMES = EVENT_EXPAND_NAMES.split(',')
  .map(name => `event.${name}`)
  .join(',');

interface DeliveryListProps {
  readonly applicationId: string;
  readonly webhook: WebhookResponse;
}

const PAGE_SIZE = 25;
/** A delivery starts and ends without an event of its own. */
const RELOAD_MS = 2000;

/** What was sent to the receiver, newest first, and how it responded. */
export const WebhookDeliveryList = ({ applicationId, webhook }: DeliveryListProps) => {
  const messages = useMessages();
  const { webhooks } = messages;
  const time = useSiteTimeFormats();
  const path = `/applications/${applicationId}/webhooks/${webhook.id}/deliveries`;
  const list = usePagedApiList<DeliveryWithEvent>('webhook', path, { limit: PAGE_SIZE, expand: EVENT_NAMES });
  const [selectedId, setSelectedId] = useState<string | null>(null);
  useEffect(() => {
    const timer = setInterval(() => void list.refetch(), RELOAD_MS);
    return () => clearInterval(timer);
  }, [path]);
  const selected = list.items.find(({ id }) => id === selectedId);
  return (
    <section class="card panel" aria-labelledby="webhook-deliveries">
      <h2 id="webhook-deliveries">{webhooks.deliveries}</h2>
      {list.isError ? (
        <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <LoadingIndicator />
      ) : list.items.length === 0 ? (
        <p class="quiet">{webhooks.noDeliveries}</p>
      ) : (
        <ul class="entry-list">
          {list.items.map(delivery => (
            <li key={delivery.id}>
              <button type="button" class="list-link" onClick={() => setSelectedId(delivery.id)}>
                <span>
                  <strong>
                    {delivery.event == null ? delivery.event_id : describeEvent(delivery.event, messages)}
                  </strong>
                  <small class="quiet">
                    {time.formatShort(delivery.created_at)} ·{' '}
                    {delivery.error ?? webhooks.response(delivery.response_status, delivery.duration_ms)}
                  </small>
                </span>
                <StatusBadge
                  level={deliveryLevels[delivery.status] ?? 'warning'}
                  text={webhooks.statuses[delivery.status] ?? delivery.status}
                />
              </button>
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage ? (
        <Button isDisabled={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          {webhooks.more}
        </Button>
      ) : null}
      {selected === undefined ? null : (
        <WebhookDeliveryDetailsDialog
          path={path}
          webhook={webhook}
          delivery={selected}
          onClose={() => setSelectedId(null)}
        />
      )}
    </section>
  );
};
