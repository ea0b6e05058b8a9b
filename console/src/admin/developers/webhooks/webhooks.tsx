import type { ManagedOAuthApplicationResponse } from '@lintel/wire-protocol/admin/oauth-application';
import { codeIcon } from '../../../design/icons.ts';
import { useApiList } from '../../api/resource-hooks.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { useMessages } from '../../messages/language.ts';
import { useLinkTo } from '../../router/links-and-query-parameters.ts';
import { isBuiltInOAuthApplication } from '../is-built-in-application.ts';
import { DevelopersNavigation } from '../developers-navigation.tsx';
import { WebhookList } from './webhook-list.tsx';

/** The webhooks of all applications. */
export const WebhooksScreen = () => {
  const { developers, webhooks } = useMessages();
  const linkTo = useLinkTo();
  const applications = useApiList<ManagedOAuthApplicationResponse>('oauth_application', '/applications');
  return (
    <>
      <PageHeader title={developers.title} subtitle={webhooks.screenText} />
      <DevelopersNavigation />
      <QueryContent query={applications}>
        {list => (
          <>
            {list.every(isBuiltInOAuthApplication) ? (
              <EmptyState icon={codeIcon} title={developers.noApplications} text={webhooks.noApplication}>
                <a class="button primary" href={linkTo('/developers')}>
                  {developers.applications}
                </a>
              </EmptyState>
            ) : null}
            {[...list.filter(one => !isBuiltInOAuthApplication(one)), ...list.filter(isBuiltInOAuthApplication)].map(
              application => (
                <WebhookList key={application.id} application={application} title={application.name} />
              ),
            )}
          </>
        )}
      </QueryContent>
    </>
  );
};
