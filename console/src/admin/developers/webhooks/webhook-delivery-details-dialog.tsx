import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import type { WebhookResponse } from '@lintel/wire-protocol/rest/webhook';
import type { WebhookDeliveryResponse } from '@lintel/wire-protocol/rest/webhook-delivery';
import { Dialog } from '../../../components/dialog.tsx';
import { type LabeledValueEntry, LabeledValueList } from '../../../components/labeled-value-list.tsx';
import { Button } from '../../../design/controls.tsx';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { useApiObject, useReloadObjects } from '../../api/resource-hooks.ts';
import { CodeSample } from '../../components/code-sample.tsx';
import { useNotices } from '../../components/notices.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { useNotifiedAction } from '../../components/use-notified-action.ts';
import { useMessages } from '../../messages/language.ts';
import { useSiteTimeFormats } from '../../time/use-site-time-formats.ts';
import { DialogButtons } from '../../components/dialog-buttons.tsx';

interface DeliveryDetailsProps {
  /** Path of the deliveries of the webhook. */
  readonly path: string;
  readonly webhook: WebhookResponse;
  readonly delivery: WebhookDeliveryResponse;
  readonly onClose: () => void;
}

/** Request and response of a delivery, and sending it again. */
export const WebhookDeliveryDetailsDialog = ({ path, webhook, delivery, onClose }: DeliveryDetailsProps) => {
  const { webhooks, general } = useMessages();
  const { client, allows } = useCurrentOrganization();
  const time = useSiteTimeFormats();
  const notices = useNotices();
  const { run } = useNotifiedAction();
  const reload = useReloadObjects('webhook');
  const event = useApiObject<EventResponse>('event', `/events/${delivery.event_id}`, {
    expand: webhook.expand.join(','),
  });
  const redeliver = (): Promise<void> =>
    run(async () => {
      await client.post(`${path}/${delivery.id}/redeliver`);
      notices.show(webhooks.redelivered);
      onClose();
      await reload();
    });
  const { request_url, response_status, response_body, error, note, duration_ms, last_attempt_at } = delivery;
  const facts: LabeledValueEntry[] = [
    [webhooks.status, webhooks.statuses[delivery.status] ?? delivery.status],
    [webhooks.attempts, String(delivery.attempts)],
    ...(last_attempt_at === null ? [] : [[webhooks.lastAttempt, time.formatDateTime(last_attempt_at)] as const]),
    ...(delivery.next_attempt_at === null
      ? []
      : [[webhooks.nextAttempt, time.formatDateTime(delivery.next_attempt_at)] as const]),
  ];
  const result: LabeledValueEntry[] = [
    [webhooks.responseStatus, response_status === null ? general.none : String(response_status)],
    ...(duration_ms === null ? [] : [[webhooks.duration, `${duration_ms} ms`] as const]),
    ...(error === null ? [] : [[webhooks.error, error] as const]),
    ...(note === null ? [] : [[webhooks.note, note] as const]),
  ];
  return (
    <Dialog label={webhooks.delivery} onClose={onClose}>
      <h2>{webhooks.delivery}</h2>
      <LabeledValueList facts={facts} />
      <h3>{webhooks.request}</h3>
      <p class="small">POST {request_url ?? webhook.url}</p>
      <QueryContent query={event}>
        {data => <CodeSample label={webhooks.requestBody} text={JSON.stringify(data, null, 2)} />}
      </QueryContent>
      <h3>{webhooks.responseTitle}</h3>
      <LabeledValueList facts={result} />
      {response_body === null || response_body === '' ? null : (
        <CodeSample label={webhooks.responseBody} text={response_body} />
      )}
      <DialogButtons label="close" onClose={onClose}>
        {allows('applications.write') && webhook.is_enabled ? (
          <Button onPress={() => void redeliver()}>{webhooks.redeliver}</Button>
        ) : null}
      </DialogButtons>
    </Dialog>
  );
};
