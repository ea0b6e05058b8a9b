import type { AuthorizedOAuthApplicationResponse } from '@lintel/wire-protocol/admin/oauth-application';
import type { OrganizationUserResponse } from '@lintel/wire-protocol/admin/organization-user';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { plugIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiList, useReloadObjects } from '../api/resource-hooks.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { DevelopersNavigation } from './developers-navigation.tsx';

interface AuthorizationItemProps {
  readonly authorization: AuthorizedOAuthApplicationResponse;
  /** Name or email of the user who authorized it. */
  readonly user: string | null;
}

const AuthorizationItem = ({ authorization, user }: AuthorizationItemProps) => {
  const { developers } = useMessages();
  const { client, allows } = useCurrentOrganization();
  const time = useSiteTimeFormats();
  const reload = useReloadObjects('oauth_application');
  const [isEnding, setEnding] = useState(false);
  const end = async (): Promise<void> => {
    await client.delete(`/authorizations/${authorization.oauth_application_id}`);
    await reload();
  };
  return (
    <li>
      <span>
        <strong>{authorization.name}</strong>
        <small class="quiet">{developers.authorizedBy(user, time.formatDateTime(authorization.created_at))}</small>
        <small class="quiet">
          {authorization.ends_at === null
            ? developers.authorizationUnused
            : developers.authorizationEnds(time.formatDateTime(authorization.ends_at))}
        </small>
      </span>
      {authorization.failing_webhooks === 0 ? null : (
        <StatusBadge level="error" text={developers.failingWebhooks(authorization.failing_webhooks)} />
      )}
      {allows('applications.write') ? (
        <Button
          variant="danger"
          label={`${developers.endAuthorization}: ${authorization.name}`}
          onPress={() => setEnding(true)}
        >
          {developers.endAuthorization}
        </Button>
      ) : null}
      {isEnding ? (
        <ConfirmDialog
          title={developers.endTitle(authorization.name)}
          confirmLabel={developers.endAuthorization}
          isDangerous
          onConfirm={end}
          onClose={() => setEnding(false)}
        >
          <p>{developers.endText}</p>
        </ConfirmDialog>
      ) : null}
    </li>
  );
};

/** The applications, of any publisher, that have access to the organization. */
export const OAuthAuthorizationsScreen = () => {
  const { developers } = useMessages();
  const { allows } = useCurrentOrganization();
  const authorizations = useApiList<AuthorizedOAuthApplicationResponse>('oauth_application', '/authorizations');
  const { data: users = [] } = useApiList<OrganizationUserResponse>('user', '/users', {}, allows('users.read'));
  const nameOf = (userId: string | null): string | null => {
    const user = users.find(({ id }) => id === userId);
    return user === undefined ? null : user.name || user.email;
  };
  return (
    <>
      <PageHeader title={developers.title} subtitle={developers.authorizationsText} />
      <DevelopersNavigation />
      <QueryContent query={authorizations}>
        {list =>
          list.length === 0 ? (
            <EmptyState icon={plugIcon} title={developers.noAuthorizations} text={developers.noAuthorizationsText} />
          ) : (
            <ul class="entry-list card panel" aria-label={developers.authorizations}>
              {list.map(authorization => (
                <AuthorizationItem
                  key={authorization.oauth_application_id}
                  authorization={authorization}
                  user={nameOf(authorization.user_id)}
                />
              ))}
            </ul>
          )
        }
      </QueryContent>
    </>
  );
};
