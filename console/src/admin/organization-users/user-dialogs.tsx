import type { OrganizationUserResponse } from '@lintel/wire-protocol/admin/organization-user';
import { useState } from 'preact/hooks';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useReloadObjects } from '../api/resource-hooks.ts';
import { useObjectEdit } from '../api/use-object-edit.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { TextField } from '../components/form-fields.tsx';
import { useMessages } from '../messages/language.ts';
import { UserRoleFields } from './user-role-fields.tsx';

export interface InvitedUser extends OrganizationUserResponse {
  /** Null if the bridge has sent the link by email. */
  readonly invitation_url: string | null;
}

interface UserAccess {
  readonly role: string;
  readonly siteIds: readonly string[];
}

const isIncomplete = ({ role, siteIds }: UserAccess): boolean => role === 'technician' && siteIds.length === 0;

interface InviteDialogProps {
  readonly onInvited: (user: InvitedUser) => void;
  readonly onClose: () => void;
}

export const InviteUserDialog = ({ onInvited, onClose }: InviteDialogProps) => {
  const { people } = useMessages();
  const { client } = useCurrentOrganization();
  const reload = useReloadObjects('user');
  const [email, setEmail] = useState('');
  const [access, setAccess] = useState<UserAccess>({ role: 'front_desk', siteIds: [] });
  const invite = async (): Promise<void> => {
    onInvited(
      await client.post<InvitedUser>('/users', { email: email.trim(), role: access.role, site_ids: access.siteIds }),
    );
    await reload();
  };
  return (
    <FormDialog
      title={people.invite}
      submitLabel={people.sendInvitation}
      isDisabled={!email.includes('@') || isIncomplete(access)}
      onSubmit={invite}
      onClose={onClose}
    >
      <TextField id="invite-email" inputMode="email" label={people.email} value={email} onChange={setEmail} />
      <UserRoleFields {...access} onChange={(role, siteIds) => setAccess({ role, siteIds })} />
    </FormDialog>
  );
};

interface EditUserDialogProps {
  readonly user: OrganizationUserResponse;
  readonly onClose: () => void;
}

export const EditUserDialog = ({ user, onClose }: EditUserDialogProps) => {
  const { people } = useMessages();
  const edit = useObjectEdit(user);
  const reload = useReloadObjects('user');
  const [access, setAccess] = useState<UserAccess>({ role: user.role, siteIds: user.site_ids });
  const save = async (): Promise<void> => {
    await edit(`/users/${user.id}`, { role: access.role, site_ids: access.siteIds });
    await reload();
  };
  return (
    <FormDialog
      title={people.editTitle(user.name || user.email)}
      isDisabled={isIncomplete(access)}
      fieldLabels={{ role: people.role }}
      onSubmit={save}
      onClose={onClose}
    >
      <UserRoleFields {...access} onChange={(role, siteIds) => setAccess({ role, siteIds })} />
    </FormDialog>
  );
};
