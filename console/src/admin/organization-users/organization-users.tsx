import type { OrganizationUserResponse } from '@lintel/wire-protocol/admin/organization-user';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { addIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiList } from '../api/resource-hooks.ts';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { SecretValue } from '../components/secret-value.tsx';
import { useMessages } from '../messages/language.ts';
import { OrganizationUsersNavigation } from './organization-users-navigation.tsx';
import { InviteUserDialog, type InvitedUser } from './user-dialogs.tsx';
import { UserListItem } from './user-list-item.tsx';

/** The link for the invited person, or that it was sent. */
const InvitationResult = ({ user }: { readonly user: InvitedUser }) => {
  const { people } = useMessages();
  return (
    <section class="card panel" aria-label={people.invitationOf(user.email)}>
      <h2>{people.invitationOf(user.email)}</h2>
      {user.invitation_url === null ? (
        <p>{people.sentByEmail}</p>
      ) : (
        <>
          <SecretValue label={people.invitationLink} value={user.invitation_url} />
          <p class="mark">{people.linkOnce}</p>
        </>
      )}
    </section>
  );
};

/** The people who administer the organization. */
export const OrganizationUsersScreen = () => {
  const { people, shell } = useMessages();
  const { allows } = useCurrentOrganization();
  const users = useApiList<OrganizationUserResponse>('user', '/users');
  const [isInviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<InvitedUser | null>(null);
  return (
    <>
      <PageHeader title={people.title} subtitle={people.subtitle}>
        <a class="button" href="/account">
          {shell.accountSettings}
        </a>
        {allows('users.write') ? (
          <Button icon={addIcon} variant="primary" onPress={() => setInviting(true)}>
            {people.invite}
          </Button>
        ) : null}
      </PageHeader>
      <OrganizationUsersNavigation />
      {invited === null ? null : <InvitationResult user={invited} />}
      <QueryContent query={users}>
        {list => (
          <ul class="entry-list card panel" aria-label={people.users}>
            {list.map(user => (
              <UserListItem key={user.id} user={user} onInvited={setInvited} />
            ))}
          </ul>
        )}
      </QueryContent>
      {isInviting ? <InviteUserDialog onInvited={setInvited} onClose={() => setInviting(false)} /> : null}
    </>
  );
};
