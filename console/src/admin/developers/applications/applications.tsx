import type { ManagedOAuthApplicationResponse } from '@lintel/wire-protocol/admin/oauth-application';
import { useState } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import { Icon } from '../../../design/icon.tsx';
import { addIcon, codeIcon, nextArrowIcon } from '../../../design/icons.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { useApiList } from '../../api/resource-hooks.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMessages } from '../../messages/language.ts';
import { useLinkTo } from '../../router/links-and-query-parameters.ts';
import { DevelopersNavigation } from '../developers-navigation.tsx';
import { OAuthApplicationSecretPanel } from './application-secret.tsx';
import { type OAuthApplicationWithSecret, NewOAuthApplicationDialog } from './application-forms.tsx';
import { isBuiltInOAuthApplication } from '../is-built-in-application.ts';

const ApplicationItem = ({ application }: { readonly application: ManagedOAuthApplicationResponse }) => {
  const { developers } = useMessages();
  const linkTo = useLinkTo();
  return (
    <li>
      <a class="list-link" href={linkTo(`/developers/applications/${application.id}`)}>
        <span>
          <strong>{application.name}</strong>
          <small class="quiet">{application.client_id}</small>
        </span>
        {isBuiltInOAuthApplication(application) ? <StatusBadge level="neutral" text={developers.builtIn} /> : null}
        {application.is_public && !isBuiltInOAuthApplication(application) ? (
          <StatusBadge level="neutral" text={developers.publicApplication} />
        ) : null}
        <Icon shape={nextArrowIcon} />
      </a>
    </li>
  );
};

/** The OAuth applications of the organization. */
export const OAuthApplicationsScreen = () => {
  const { developers } = useMessages();
  const { allows } = useCurrentOrganization();
  const applications = useApiList<ManagedOAuthApplicationResponse>('oauth_application', '/applications');
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<OAuthApplicationWithSecret | null>(null);
  const newButton = allows('applications.write') ? (
    <Button icon={addIcon} variant="primary" onPress={() => setCreating(true)}>
      {developers.newApplication}
    </Button>
  ) : null;
  return (
    <>
      <PageHeader title={developers.title} subtitle={developers.applicationsText}>
        {newButton}
      </PageHeader>
      <DevelopersNavigation />
      {created === null ? null : <OAuthApplicationSecretPanel application={created} />}
      <QueryContent query={applications}>
        {list =>
          list.length === 0 ? (
            <EmptyState icon={codeIcon} title={developers.noApplications} text={developers.noApplicationsText} />
          ) : (
            <ul class="entry-list card panel" aria-label={developers.applications}>
              {list.map(application => (
                <ApplicationItem key={application.id} application={application} />
              ))}
            </ul>
          )
        }
      </QueryContent>
      {isCreating ? <NewOAuthApplicationDialog onCreated={setCreated} onClose={() => setCreating(false)} /> : null}
    </>
  );
};
