import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { addIcon, editIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { EditConflictError, editObject } from '../api/edit-object.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { DeleteButton } from '../components/delete-button.tsx';
import { useLanguage } from '../messages/language.ts';
import { AccessPreviewPanel } from './access-preview.tsx';
import { describePermissionRule } from '../access/describe-permission-rule.ts';
import type { PermissionRuleObjects, MemberGroupPermission } from '../access/member-group-access.ts';
import { useReloadMemberGroups } from './member-group-hooks.ts';
import {
  replacePermissionRules,
  findSameRules,
  mergeNeighboringPermissionRules,
  type MergedPermissionRules,
} from '../access/permission-rule-draft.ts';
import { PermissionRuleEditor } from './permission-rule-editor.tsx';

/** The number of the rule in an address such as `#rule-2`; counted from 1. */
const ruleInAddress = (): number | null => {
  const [, number] = /^#rule-(\d+)$/.exec(location.hash) ?? [];
  return number === undefined ? null : Number(number);
};

interface RuleItemProps {
  readonly entry: MergedPermissionRules;
  readonly objects: PermissionRuleObjects;
  readonly isEditable: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

const RuleItem = ({ entry, objects, isEditable, onEdit, onDelete }: RuleItemProps) => {
  const { messages, locale } = useLanguage();
  const { groups: texts } = messages;
  const { first, count, draft } = entry;
  const { sentence, isDropped } = describePermissionRule(draft, { messages, locale, objects });
  const selected = ruleInAddress();
  const isSelected = selected !== null && selected > first && selected <= first + count;
  const number = count === 1 ? texts.ruleNumber(first + 1) : texts.ruleNumbers(first + 1, first + count);
  return (
    <li id={`rule-${first + 1}`} class="rule-item" aria-current={isSelected ? 'true' : undefined}>
      <div>
        <p class="quiet small">{number}</p>
        <p>{sentence}</p>
        {isDropped ? <p class="wrong small">{texts.dropped}</p> : null}
      </div>
      {isEditable ? (
        <div class="bar">
          <Button icon={editIcon} variant="plain" label={`${texts.editRule}: ${number}`} onPress={onEdit} />
          <DeleteButton name={number} onPress={onDelete} />
        </div>
      ) : null}
    </li>
  );
};

interface RuleDialog {
  readonly kind: 'edit' | 'delete';
  /** Null to add a rule. */
  readonly entry: MergedPermissionRules | null;
  /** The group when the dialog opened: the user decides about these rules, also if others change them while it is open. */
  readonly base: MemberGroupResponse;
}

interface GroupRulesProps {
  readonly group: MemberGroupResponse;
  readonly memberCount: number;
  readonly objects: PermissionRuleObjects;
}

export const MemberGroupPermissionRulesPanel = ({ group, memberCount, objects }: GroupRulesProps) => {
  const { groups: texts, general } = useLanguage().messages;
  const { client, allows } = useCurrentOrganization();
  const reload = useReloadMemberGroups();
  const [dialog, setDialog] = useState<RuleDialog | null>(null);
  const canEdit = allows('member_groups.write') && !group.is_deleted;
  const entries = mergeNeighboringPermissionRules(group.permissions);
  useEffect(() => {
    const selected = ruleInAddress();
    if (selected !== null) document.querySelector('.rule-item[aria-current]')?.scrollIntoView({ block: 'center' });
  }, []);
  /** After a conflict, the dialog continues with the rules that the other user has saved. */
  const save = async (open: RuleDialog, permissions: readonly MemberGroupPermission[]): Promise<void> => {
    try {
      await editObject(client, `/member_groups/${group.id}`, open.base, { permissions });
    } catch (error) {
      if (error instanceof EditConflictError) {
        const base = error.current as MemberGroupResponse;
        setDialog({ ...open, base, entry: findSameRules(base.permissions, open.entry) });
        await reload();
      }
      throw error;
    }
    await reload();
  };
  const close = (): void => setDialog(null);
  const withoutRule = dialog === null ? [] : replacePermissionRules(dialog.base.permissions, dialog.entry, null);
  return (
    <>
      <section class="card panel" aria-labelledby="group-rules">
        <h2 id="group-rules">{texts.rules}</h2>
        {entries.length === 0 ? <p class="quiet">{texts.noRules}</p> : null}
        <ol class="rule-list">
          {entries.map(entry => (
            <RuleItem
              key={entry.first}
              entry={entry}
              objects={objects}
              isEditable={canEdit}
              onEdit={() => setDialog({ kind: 'edit', entry, base: group })}
              onDelete={() => setDialog({ kind: 'delete', entry, base: group })}
            />
          ))}
        </ol>
        {canEdit ? (
          <div class="bar">
            <Button icon={addIcon} onPress={() => setDialog({ kind: 'edit', entry: null, base: group })}>
              {texts.addRule}
            </Button>
          </div>
        ) : null}
      </section>
      {dialog?.kind === 'edit' ? (
        <PermissionRuleEditor
          group={dialog.base}
          memberCount={memberCount}
          objects={objects}
          entry={dialog.entry}
          onSave={rules => save(dialog, rules)}
          onClose={close}
        />
      ) : null}
      {dialog?.kind === 'delete' ? (
        <ConfirmDialog
          title={texts.deleteRuleTitle}
          confirmLabel={general.delete}
          isDangerous
          isDisabled={dialog.entry === null}
          onConfirm={() => save(dialog, withoutRule)}
          onClose={close}
        >
          <h3>{texts.afterSaving(memberCount)}</h3>
          <AccessPreviewPanel
            objects={objects}
            groupId={group.id}
            rules={withoutRule}
            savedRules={dialog.base.permissions}
          />
        </ConfirmDialog>
      ) : null}
    </>
  );
};
