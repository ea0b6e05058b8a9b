import type { ManagedOAuthApplicationResponse } from '@lintel/wire-protocol/admin/oauth-application';
import type { WebhookCreatedResponse, WebhookResponse } from '@lintel/wire-protocol/rest/webhook';
import { useState } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import { Icon } from '../../../design/icon.tsx';
import { addIcon, nextArrowIcon } from '../../../design/icons.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { useApiList } from '../../api/resource-hooks.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { SecretValue } from '../../components/secret-value.tsx';
import { useMessages } from '../../messages/language.ts';
import { useLinkTo } from '../../router/links-and-query-parameters.ts';
import { describeWebhookFilter } from './describe-filter.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookStatusBadge } from './webhook-status.tsx';

interface WebhookListProps {
  readonly application: ManagedOAuthApplicationResponse;
  readonly title: string;
}

/** The webhooks of an application. */
export const WebhookList = ({ application, title }: WebhookListProps) => {
  const messages = useMessages();
  const { webhooks } = messages;
  const { allows } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const list = useApiList<WebhookResponse>('webhook', `/applications/${application.id}/webhooks`);
  const headingId = `webhooks-${application.id}`;
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<WebhookCreatedResponse | null>(null);
  return (
    <section class="card panel" aria-labelledby={headingId}>
      <div class="title-line">
        <h2 id={headingId}>{title}</h2>
        {allows('applications.write') ? (
          <Button icon={addIcon} onPress={() => setCreating(true)}>
            {webhooks.newWebhook}
          </Button>
        ) : null}
      </div>
      {created === null ? null : (
        <>
          <SecretValue label={webhooks.secret} value={created.secret} />
          <p class="mark">{webhooks.secretOnce}</p>
        </>
      )}
      <QueryContent query={list}>
        {data =>
          data.length === 0 ? (
            <p class="quiet">{webhooks.none}</p>
          ) : (
            <ul class="entry-list">
              {data.map(webhook => (
                <li key={webhook.id}>
                  <a
                    class="list-link"
                    href={linkTo(`/developers/applications/${application.id}/webhooks/${webhook.id}`)}
                  >
                    <span>
                      <strong>{webhook.url}</strong>
                      <small class="quiet">{describeWebhookFilter(webhook.filter, messages)}</small>
                    </span>
                    <WebhookStatusBadge webhook={webhook} />
                    <Icon shape={nextArrowIcon} />
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
      {isCreating ? (
        <WebhookForm
          applicationId={application.id}
          webhook={null}
          onCreated={setCreated}
          onClose={() => setCreating(false)}
        />
      ) : null}
    </section>
  );
};
