import type { WebhookResponse } from '@lintel/wire-protocol/rest/webhook';
import { useState } from 'preact/hooks';
import { LabeledValueList } from '../../../components/labeled-value-list.tsx';
import { Button, Switch } from '../../../design/controls.tsx';
import { deleteIcon, playIcon } from '../../../design/icons.ts';
import { useLocation } from 'preact-iso/router';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { useApiObject, useReloadObjects } from '../../api/resource-hooks.ts';
import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { useNotices } from '../../components/notices.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { useNotifiedAction } from '../../components/use-notified-action.ts';
import { useMessages } from '../../messages/language.ts';
import { useLinkTo } from '../../router/links-and-query-parameters.ts';
import type { ScreenProps } from '../../router/screen-route-type.ts';
import { useSiteTimeFormats } from '../../time/use-site-time-formats.ts';
import { WebhookDeliveryList } from './delivery-list.tsx';
import { describeWebhookFilter } from './describe-filter.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookStatusBadge } from './webhook-status.tsx';

interface WebhookProps {
  readonly applicationId: string;
  readonly webhook: WebhookResponse;
}

const WebhookActions = ({ applicationId, webhook }: WebhookProps) => {
  const { webhooks, developers, general } = useMessages();
  const { client } = useCurrentOrganization();
  const { route } = useLocation();
  const linkTo = useLinkTo();
  const notices = useNotices();
  const { run } = useNotifiedAction();
  const reload = useReloadObjects('webhook');
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const path = `/applications/${applicationId}/webhooks/${webhook.id}`;
  const attempt = (work: () => Promise<unknown>, done: string | null): Promise<void> =>
    run(async () => {
      await work();
      if (done !== null) notices.show(done);
      await reload();
    });
  const remove = async (): Promise<void> => {
    await client.delete(path);
    route(linkTo(`/developers/applications/${applicationId}`), true);
    await reload();
  };
  return (
    <>
      <Switch
        isOn={webhook.is_enabled}
        onChange={is_enabled => void attempt(() => client.patch(path, { is_enabled }), null)}
      >
        {webhooks.enabled}
      </Switch>
      <Button
        icon={playIcon}
        isDisabled={!webhook.is_enabled}
        onPress={() => void attempt(() => client.post(`${path}/test`), webhooks.testSent)}
      >
        {webhooks.test}
      </Button>
      <Button onPress={() => setDialog('edit')}>{developers.edit}</Button>
      <Button icon={deleteIcon} variant="danger" onPress={() => setDialog('delete')}>
        {general.delete}
      </Button>
      {dialog === 'edit' ? (
        <WebhookForm applicationId={applicationId} webhook={webhook} onClose={() => setDialog(null)} />
      ) : null}
      {dialog === 'delete' ? (
        <DeleteDialog
          title={webhooks.deleteTitle}
          text={webhooks.deleteText}
          onConfirm={remove}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </>
  );
};

const WebhookContent = ({ applicationId, webhook }: WebhookProps) => {
  const messages = useMessages();
  const { webhooks, general } = messages;
  const { allows } = useCurrentOrganization();
  const time = useSiteTimeFormats();
  return (
    <>
      <PageHeader title={webhooks.webhook} subtitle={<WebhookStatusBadge webhook={webhook} />}>
        {allows('applications.write') ? <WebhookActions applicationId={applicationId} webhook={webhook} /> : null}
      </PageHeader>
      {webhook.failing_since === null ? null : (
        <p class="mark" role="alert">
          {webhooks.failingSince(time.formatDateTime(webhook.failing_since))}
        </p>
      )}
      <section class="card panel" aria-label={webhooks.webhook}>
        <LabeledValueList
          facts={[
            [webhooks.url, webhook.url],
            [webhooks.filter, describeWebhookFilter(webhook.filter, messages)],
            [webhooks.expand, webhook.expand.join(', ') || general.none],
          ]}
        />
      </section>
      <WebhookDeliveryList applicationId={applicationId} webhook={webhook} />
    </>
  );
};

export const WebhookScreen = ({ params }: ScreenProps) => {
  const { webhooks } = useMessages();
  const linkTo = useLinkTo();
  const { application_id: applicationId = '', webhook_id: webhookId = '' } = params;
  const webhook = useApiObject<WebhookResponse>('webhook', `/applications/${applicationId}/webhooks/${webhookId}`);
  return (
    <>
      <a class="back-link" href={linkTo(`/developers/applications/${applicationId}`)}>
        ← {webhooks.back}
      </a>
      <QueryContent query={webhook}>
        {data => <WebhookContent applicationId={applicationId} webhook={data} />}
      </QueryContent>
    </>
  );
};
