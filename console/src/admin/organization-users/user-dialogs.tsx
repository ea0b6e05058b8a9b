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

interface InviteDialogProps {
  readonly onInvited: (user: InvitedUser) => void;
  readonly onClose: () => void;
}

export const InviteUserDialog = ({ onInvited, onClose }: InviteDialogProps) => {
  const { people } = useMessages();
  const { client } = useCurrentOrganization();
  const reload = useReloadObjects('user');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('front_desk');
  const [siteIds, setSiteIds] = useState<readonly string[]>([]);
  const invite = async (): Promise<void> => {
    onInvited(await client.post<InvitedUser>('/users', { email: email.trim(), role, site_ids: siteIds }));
    await reload();
  };
  return (
    <FormDialog
      title={people.invite}
      submitLabel={people.sendInvitation}
      isDisabled={!email.includes('@') || (role === 'technician' && siteIds.length === 0)}
      onSubmit={invite}
      onClose={onClose}
    >
      <TextField id="invite-email" inputMode="email" label={people.email} value={email} onChange={setEmail} />
      <UserRoleFields
        role={role}
        siteIds={siteIds}
        onChange={(name, sites) => {
          setRole(name);
          setSiteIds(sites);
        }}
      />
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
  const [role, setRole] = useState<string>(user.role);
  const [siteIds, setSiteIds] = useState<readonly string[]>(user.site_ids);
  const save = async (): Promise<void> => {
    await edit(`/users/${user.id}`, { role, site_ids: siteIds });
    await reload();
  };
  return (
    <FormDialog
      title={people.editTitle(user.name || user.email)}
      isDisabled={role === 'technician' && siteIds.length === 0}
      fieldLabels={{ role: people.role }}
      onSubmit={save}
      onClose={onClose}
    >
      <UserRoleFields
        role={role}
        siteIds={siteIds}
        onChange={(name, sites) => {
          setRole(name);
          setSiteIds(sites);
        }}
      />
    </FormDialog>
  );
};
