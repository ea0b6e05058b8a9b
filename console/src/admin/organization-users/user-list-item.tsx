import type { OrganizationUserResponse } from '@lintel/wire-protocol/admin/organization-user';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { deleteIcon, mailIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useReloadObjects, useSites } from '../api/resource-hooks.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { useMessages } from '../messages/language.ts';
import { EditUserDialog, type InvitedUser } from './user-dialogs.tsx';

interface UserItemProps {
  readonly user: OrganizationUserResponse;
  readonly onInvited: (user: InvitedUser) => void;
}

export const UserListItem = ({ user, onInvited }: UserItemProps) => {
  const { people, shell } = useMessages();
  const { client, allows, role, session } = useCurrentOrganization();
  const { data: sites = [] } = useSites();
  const { run } = useNotifiedAction();
  const reload = useReloadObjects('user');
  const [dialog, setDialog] = useState<'edit' | 'remove' | null>(null);
  const name = user.name || user.email;
  const isInvited = user.status === 'invited';
  const isEditable = allows('users.write') && (user.role !== 'owner' || role === 'owner');
  const siteNames = sites.filter(({ id }) => user.site_ids.includes(id)).map(site => site.name);
  const resend = (): Promise<void> =>
    run(async () => {
      onInvited(await client.post<InvitedUser>(`/users/${user.id}/invitation`));
    });
  const remove = async (): Promise<void> => {
    await client.delete(isInvited ? `/users/${user.id}/invitation` : `/users/${user.id}`);
    await reload();
  };
  return (
    <li class="user-item">
      <span>
        <strong>
          {name}
          {user.id === session.user.id ? ` (${people.you})` : ''}
        </strong>
        <small class="quiet">
          {[user.name === '' ? null : user.email, siteNames.join(', ')].filter(Boolean).join(' · ')}
        </small>
      </span>
      <StatusBadge level="neutral" text={shell.roles[user.role] ?? user.role} />
      {isInvited ? <StatusBadge level="warning" text={people.invited} /> : null}
      {isEditable ? (
        <span class="bar user-buttons">
          {isInvited ? (
            <Button icon={mailIcon} label={`${people.resend}: ${name}`} onPress={() => void resend()}>
              {people.resend}
            </Button>
          ) : null}
          <Button label={`${people.changeRole}: ${name}`} onPress={() => setDialog('edit')}>
            {people.changeRole}
          </Button>
          <Button
            icon={deleteIcon}
            variant="plain"
            label={`${isInvited ? people.revoke : people.remove}: ${name}`}
            onPress={() => setDialog('remove')}
          />
        </span>
      ) : null}
      {dialog === 'edit' ? <EditUserDialog user={user} onClose={() => setDialog(null)} /> : null}
      {dialog === 'remove' ? (
        <ConfirmDialog
          title={isInvited ? people.revokeTitle(name) : people.removeTitle(name)}
          confirmLabel={isInvited ? people.revoke : people.remove}
          isDangerous
          onConfirm={remove}
          onClose={() => setDialog(null)}
        >
          <p>{isInvited ? people.revokeText : people.removeText}</p>
        </ConfirmDialog>
      ) : null}
    </li>
  );
};
