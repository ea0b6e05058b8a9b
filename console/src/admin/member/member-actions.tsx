import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { clockIcon, deleteIcon, undoIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useNotices } from '../components/notices.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { useMessages } from '../messages/language.ts';
import { computeMemberStatus } from '../members/member-status.ts';
import { EditMemberDialog } from './edit-member.tsx';
import { type ExpandedMember, useReloadMembers } from './member-hooks.ts';

/** Change dates, end access, delete or restore. */
export const MemberActionButtons = ({ member }: { readonly member: ExpandedMember }) => {
  const messages = useMessages();
  const texts = messages.member;
  const { client, allows } = useCurrentOrganization();
  const notices = useNotices();
  const { run } = useNotifiedAction();
  const reload = useReloadMembers();
  const [dialog, setDialog] = useState<'edit' | 'suspend' | 'delete' | null>(null);
  if (!allows('members.write')) return null;
  const path = `/members/${member.id}`;
  const close = (): void => setDialog(null);
  const patch = async (body: object): Promise<void> => {
    await client.patch(path, body);
    await reload();
  };
  const restore = (): Promise<void> =>
    run(async () => {
      await patch({ is_deleted: false });
      notices.show(texts.restored);
    });
  if (member.is_deleted)
    return (
      <Button icon={undoIcon} variant="primary" onPress={() => void restore()}>
        {texts.restore}
      </Button>
    );
  return (
    <>
      <Button icon={clockIcon} onPress={() => setDialog('edit')}>
        {texts.edit}
      </Button>
      {computeMemberStatus(member, Date.now()) === 'active' ? (
        <Button onPress={() => setDialog('suspend')}>{texts.suspend}</Button>
      ) : null}
      <Button icon={deleteIcon} variant="danger" onPress={() => setDialog('delete')}>
        {texts.remove}
      </Button>
      {dialog === 'edit' ? <EditMemberDialog member={member} onClose={close} /> : null}
      {dialog === 'suspend' ? (
        <ConfirmDialog
          title={texts.suspendTitle(member.name)}
          confirmLabel={texts.suspend}
          isDangerous
          onConfirm={() => patch({ ends_at: new Date().toISOString() })}
          onClose={close}
        >
          <p>{texts.suspendText}</p>
        </ConfirmDialog>
      ) : null}
      {dialog === 'delete' ? (
        <ConfirmDialog
          title={texts.removeTitle(member.name)}
          confirmLabel={texts.remove}
          isDangerous
          onConfirm={async () => {
            await client.delete(path);
            await reload();
          }}
          onClose={close}
        >
          <p>{texts.removeText}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
