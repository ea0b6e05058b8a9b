import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { addIcon } from '../../design/icons.ts';
import { useOwnLimits } from '../access/desk-limits.ts';
import { listMemberGroupAccess } from '../access/member-group-access.ts';
import { GroupedSelectField } from '../components/grouped-select-field.tsx';
import { AccessPreviewPanel } from '../groups/access-preview.tsx';
import { usePermissionRuleObjects } from '../groups/member-group-hooks.ts';
import { useMessages } from '../messages/language.ts';
import { type ExpandedMember, useMemberAccess } from './member-hooks.ts';

interface AddGroupProps {
  readonly member: ExpandedMember;
  readonly isBusy: boolean;
  readonly onAdd: (group: { readonly id: string; readonly name: string }) => Promise<void>;
}

/** Chooses a group, shows what it opens, and adds the member only when the button is pressed. */
export const AddGroup = ({ member, isBusy, onAdd }: AddGroupProps) => {
  const { member: texts, desk } = useMessages();
  const objects = usePermissionRuleObjects();
  const { data: access } = useMemberAccess(member.id);
  const { mayGive } = useOwnLimits();
  const [chosenId, setChosenId] = useState('');
  const joined = new Set<string>(member.group_associations.map(({ member_group_id }) => member_group_id));
  const available = objects.groups.filter(({ id }) => !joined.has(id));
  if (available.length === 0) return null;
  const group = available.find(({ id }) => id === chosenId);
  const opened = new Set<string>(
    group === undefined
      ? []
      : listMemberGroupAccess(objects, group.id, group.permissions).map(({ gadget_id }) => gadget_id),
  );
  const before = new Set<string>(access?.access.map(({ gadget_id }) => gadget_id));
  const more = objects.doors.filter(({ id }) => opened.has(id) && !before.has(id));
  const add = async (): Promise<void> => {
    if (group === undefined) return;
    await onAdd(group);
    setChosenId('');
  };
  return (
    <div class="form add-choice">
      <GroupedSelectField
        id="add-group"
        label={texts.addGroup}
        value={chosenId}
        options={available}
        placeholder={texts.chooseGroup}
        onChange={setChosenId}
      />
      {group === undefined ? null : (
        <div aria-live="polite">
          <p>
            <strong>
              {more.length === 0
                ? texts.opensNothingMore
                : opened.size === objects.doors.length
                  ? texts.opensAllDoors(objects.doors.length)
                  : texts.alsoOpens(more.map(({ name }) => name).join(', '))}
            </strong>
          </p>
          <AccessPreviewPanel objects={objects} groupId={group.id} rules={group.permissions} />
        </div>
      )}
      {group === undefined || mayGive(group.id) ? null : <p class="wrong">{desk.groupClosed}</p>}
      <div class="bar">
        <Button
          icon={addIcon}
          isDisabled={group === undefined || isBusy || !mayGive(group.id)}
          onPress={() => void add()}
        >
          {texts.add}
        </Button>
      </div>
    </div>
  );
};
