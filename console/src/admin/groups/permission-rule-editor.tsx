import type { MemberGroupId } from '@lintel/access-core/ids';
import { findInheritanceCycle } from '@lintel/access-core/permission/inheritance-cycle';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { useState } from 'preact/hooks';
import { FormDialog } from '../components/form-dialog.tsx';
import { useLanguage } from '../messages/language.ts';
import { AccessPreviewPanel } from './access-preview.tsx';
import { describePermissionRule } from '../access/describe-permission-rule.ts';
import type { PermissionRuleObjects, MemberGroupPermission } from '../access/member-group-access.ts';
import { MemberNameList } from './member-name-list.tsx';
import {
  replacePermissionRules,
  isPermissionRuleDraftComplete,
  emptyPermissionRuleDraft,
  type MergedPermissionRules,
} from '../access/permission-rule-draft.ts';
import { PermissionRuleFields } from './permission-rule-fields.tsx';

/** Groups that can be inherited without a cycle. */
const listInheritable = ({ groups }: PermissionRuleObjects, groupId: string) =>
  groups.filter(({ id }) => {
    const lookup = (other: string) => groups.find(group => group.id === other)?.permissions as never;
    const inheriting = [{ member_group_id: id as MemberGroupId }];
    return findInheritanceCycle(groupId as MemberGroupId, inheriting, lookup) === null;
  });

interface RuleEditorProps {
  readonly group: MemberGroupResponse;
  readonly memberCount: number;
  readonly objects: PermissionRuleObjects;
  /** Null to add a rule. */
  readonly entry: MergedPermissionRules | null;
  readonly onSave: (rules: readonly MemberGroupPermission[]) => Promise<unknown>;
  readonly onClose: () => void;
}

/** One rule in plain words, with what members can open after saving. */
export const PermissionRuleEditor = ({ group, memberCount, objects, entry, onSave, onClose }: RuleEditorProps) => {
  const { messages, locale } = useLanguage();
  const { groups: texts } = messages;
  const [draft, setDraft] = useState(entry?.draft ?? emptyPermissionRuleDraft);
  const isComplete = isPermissionRuleDraftComplete(draft);
  const rules = replacePermissionRules(group.permissions, entry, isComplete ? draft : null);
  return (
    <FormDialog
      title={entry === null ? texts.addRule : texts.editRule}
      submitLabel={texts.saveRule}
      isDisabled={!isComplete}
      onSubmit={() => onSave(rules)}
      onClose={onClose}
    >
      <PermissionRuleFields
        draft={draft}
        objects={objects}
        inheritable={listInheritable(objects, group.id)}
        onChange={setDraft}
      />
      <section class="rule-preview" aria-label={texts.preview} aria-live="polite">
        {isComplete ? (
          <>
            <p class="rule-sentence">{describePermissionRule(draft, { messages, locale, objects }).sentence}</p>
            <h3>{texts.afterSaving(memberCount)}</h3>
            <MemberNameList groupId={group.id} memberCount={memberCount} />
            <AccessPreviewPanel objects={objects} groupId={group.id} rules={rules} savedRules={group.permissions} />
          </>
        ) : (
          <p class="quiet">{texts.incomplete}</p>
        )}
      </section>
    </FormDialog>
  );
};
