import type { ApplicationResponse } from '@lintel/wire-protocol/admin/application';
import { codeIcon } from '../../../design/icons.ts';
import { useList } from '../../api/resources.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { useMessages } from '../../messages/language.ts';
import { useLinkTo } from '../../router/links.ts';
import { isBuiltInApplication } from '../is-built-in.ts';
import { DevelopersNavigation } from '../developers-navigation.tsx';
import { WebhookList } from './webhook-list.tsx';

/** The webhooks of all applications. */
export const WebhooksScreen = () => {
  const { developers, webhooks } = useMessages();
  const linkTo = useLinkTo();
  const applications = useList<ApplicationResponse>('oauth_application', '/applications');
  return (
    <>
      <PageHeader title={developers.title} subtitle={webhooks.screenText} />
      <DevelopersNavigation />
      <QueryContent query={applications}>
        {list => (
          <>
            {list.every(isBuiltInApplication) ? (
              <EmptyState icon={codeIcon} title={developers.noApplications} text={webhooks.noApplication}>
                <a class="button primary" href={linkTo('/developers')}>
                  {developers.applications}
                </a>
              </EmptyState>
            ) : null}
            {[...list.filter(one => !isBuiltInApplication(one)), ...list.filter(isBuiltInApplication)].map(
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
