import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { useDeskLimits } from '../access/desk-limits.ts';
import { listMemberGroupAccess, type PermissionRuleObjects } from '../access/member-group-access.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { useMessages } from '../messages/language.ts';
import { AccessPreviewPanel } from './access-preview.tsx';
import { useReloadMemberGroups } from './member-group-hooks.ts';

interface DeskPermissionProps {
  readonly group: MemberGroupResponse;
  readonly objects: PermissionRuleObjects;
}

/** Whether users with the role front desk may give the group. */
export const DeskPermissionPanel = ({ group, objects }: DeskPermissionProps) => {
  const { desk: texts, members } = useMessages();
  const { client, allows } = useCurrentOrganization();
  const { isBusy, run } = useNotifiedAction();
  const reload = useReloadMemberGroups();
  const [isAsking, setAsking] = useState(false);
  const { data } = useDeskLimits();
  const limit = data?.member_groups.find(({ member_group_id }) => member_group_id === group.id);
  if (limit === undefined) return null;
  const doors = new Set(listMemberGroupAccess(objects, group.id, group.permissions).map(({ gadget_id }) => gadget_id));
  const decide = async (may_give: boolean | null): Promise<void> => {
    await client.patch('/desk_limits', { member_groups: [{ member_group_id: group.id, may_give }] });
    await reload();
  };
  return (
    <section class="card panel" aria-labelledby="group-desk">
      <h2 id="group-desk">{texts.title}</h2>
      <p>{limit.may_give ? texts.mayGive : texts.mayNotGive}</p>
      <p class="quiet small">{limit.is_default ? texts.byDefault(doors.size) : texts.decided}</p>
      {allows('member_groups.write') ? (
        <div class="bar">
          {limit.may_give ? (
            <Button isDisabled={isBusy} onPress={() => void run(() => decide(false))}>
              {texts.forbid}
            </Button>
          ) : (
            <Button isDisabled={isBusy} onPress={() => setAsking(true)}>
              {texts.allow}
            </Button>
          )}
          {limit.is_default ? null : (
            <Button isDisabled={isBusy} onPress={() => void run(() => decide(null))}>
              {texts.useDefault}
            </Button>
          )}
        </div>
      ) : null}
      {isAsking ? (
        <ConfirmDialog
          title={texts.allowTitle(group.name === '' ? members.unnamed : group.name)}
          confirmLabel={texts.allow}
          onConfirm={() => decide(true)}
          onClose={() => setAsking(false)}
        >
          <p>{texts.allowText}</p>
          <AccessPreviewPanel objects={objects} groupId={group.id} rules={group.permissions} />
        </ConfirmDialog>
      ) : null}
    </section>
  );
};
