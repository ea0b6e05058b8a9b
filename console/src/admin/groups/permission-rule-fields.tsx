import { accessMethods } from '@lintel/access-core/access-data-types';
import { CheckboxList } from '../components/checkbox-list.tsx';
import { GroupedSelectField } from '../components/grouped-select-field.tsx';
import { useMessages } from '../messages/language.ts';
import type { PermissionRuleObjects } from '../access/member-group-access.ts';
import type { PermissionRuleDraft } from '../access/permission-rule-draft.ts';

/** The actions that all chosen doors have. */
const commonActions = ({ doors }: PermissionRuleObjects, doorIds: readonly string[]) => {
  const [first, ...others] = doors.filter(({ id }) => doorIds.includes(id));
  return (first?.actions ?? []).filter(({ id }) => others.every(door => door.actions.some(action => action.id === id)));
};

interface RuleFieldsProps {
  readonly draft: PermissionRuleDraft;
  readonly objects: PermissionRuleObjects;
  /** Groups that this group may inherit from. */
  readonly inheritable: readonly { readonly id: string; readonly name: string }[];
  readonly onChange: (draft: PermissionRuleDraft) => void;
}

const TargetFields = ({ draft, objects, inheritable, onChange }: RuleFieldsProps) => {
  const { groups: texts } = useMessages();
  const { target, doorIds, actionId, inheritedGroupId } = draft;
  const change = (changes: Partial<PermissionRuleDraft>): void => onChange({ ...draft, ...changes });
  const actions = commonActions(objects, doorIds);
  const targets = [
    { id: 'doors', name: texts.targets.doors },
    { id: 'site', name: texts.targets.site },
    { id: 'all', name: texts.targets.all },
  ];
  return (
    <>
      {inheritable.length === 0 ? null : (
        <GroupedSelectField
          id="rule-gives"
          label={texts.gives}
          value={inheritedGroupId ?? ''}
          options={[
            { id: '', name: texts.givesDoors },
            ...inheritable.map(({ id, name }) => ({ id, name: texts.givesGroup(name) })),
          ]}
          onChange={id => change(id === '' ? { inheritedGroupId: null } : { inheritedGroupId: id })}
        />
      )}
      <GroupedSelectField
        id="rule-target"
        label={texts.where}
        value={target}
        options={targets}
        onChange={value =>
          change({
            target: value as PermissionRuleDraft['target'],
            siteId: value === 'site' ? (objects.sites[0]?.id ?? null) : null,
            doorIds: [],
            actionId: null,
          })
        }
      />
      {target === 'site' ? (
        <GroupedSelectField
          id="rule-site"
          label={texts.site}
          value={draft.siteId ?? ''}
          options={objects.sites}
          onChange={siteId => change({ siteId })}
        />
      ) : null}
      {target === 'doors' ? (
        <CheckboxList
          label={texts.doors}
          options={objects.doors}
          selected={doorIds}
          onChange={selected => {
            const isKept = commonActions(objects, selected).some(({ id }) => id === actionId);
            change({ doorIds: selected, actionId: isKept ? actionId : null });
          }}
        />
      ) : null}
      {target === 'doors' && (actions.length > 1 || actionId !== null) ? (
        <GroupedSelectField
          id="rule-action"
          label={texts.action}
          value={actionId ?? ''}
          options={[{ id: '', name: texts.allActions }, ...actions]}
          onChange={id => change({ actionId: id === '' ? null : id })}
        />
      ) : null}
    </>
  );
};

/** All that a rule of the API can express. */
export const PermissionRuleFields = (props: RuleFieldsProps) => {
  const { draft, objects, onChange } = props;
  const { groups: texts, member } = useMessages();
  const change = (changes: Partial<PermissionRuleDraft>): void => onChange({ ...draft, ...changes });
  return (
    <>
      <TargetFields {...props} />
      <GroupedSelectField
        id="rule-methods"
        label={texts.credentials}
        value={draft.methods === null ? 'any' : 'some'}
        options={[
          { id: 'any', name: texts.anyCredential },
          { id: 'some', name: texts.someCredentials },
        ]}
        onChange={value => change({ methods: value === 'any' ? null : ['pin', 'card'] })}
      />
      {draft.methods === null ? null : (
        <CheckboxList
          label={texts.someCredentials}
          options={accessMethods.toReversed().map(id => ({ id, name: member.methods[id] ?? id }))}
          selected={draft.methods}
          onChange={selected => change({ methods: accessMethods.filter(method => selected.includes(method)) })}
        />
      )}
      <GroupedSelectField
        id="rule-schedule"
        label={texts.when}
        value={draft.scheduleId ?? ''}
        options={[{ id: '', name: texts.anyTime }, ...objects.schedules]}
        onChange={id => change({ scheduleId: id === '' ? null : id })}
      />
      <label class="choice">
        <input
          type="checkbox"
          checked={draft.requiresPresence}
          onChange={event => change({ requiresPresence: event.currentTarget.checked })}
        />
        <span>
          {texts.presence}
          <small class="quiet">{texts.presenceHint}</small>
        </span>
      </label>
    </>
  );
};
