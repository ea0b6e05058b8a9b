import { useState } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import type { QueryParameters } from '../../api/send-request.ts';
import { useNotifiedAction } from '../../components/use-notified-action.ts';
import { useMessages } from '../../messages/language.ts';
import type { MemberWithGroupAssociations } from '../member-list-item.tsx';
import { MemberBulkActionDialog } from './bulk-dialog.tsx';
import { type MemberBulkAction, memberBulkActions } from './apply-bulk-action.ts';

export type MemberSelection = ReadonlyMap<string, MemberWithGroupAssociations>;

interface BulkBarProps {
  readonly selection: MemberSelection;
  /** The filters of the list. */
  readonly query: QueryParameters;
  readonly onChange: (selection: MemberSelection) => void;
}

/** What can be done with the selected members. */
export const MemberBulkActionBar = ({ selection, query, onChange }: BulkBarProps) => {
  const { bulk: texts } = useMessages();
  const { client } = useCurrentOrganization();
  const { isBusy, run } = useNotifiedAction();
  const [chosen, setChosen] = useState('');
  const [action, setAction] = useState<MemberBulkAction | null>(null);
  const open = (): void => setAction(memberBulkActions.find(one => one === chosen) ?? null);
  const selectAll = (): Promise<void> =>
    run(async () => {
      const all = await client.listAll<MemberWithGroupAssociations>('/members', { ...query, limit: 100 });
      onChange(new Map(all.map(member => [member.id, member])));
    });
  if (selection.size === 0) return null;
  return (
    <div class="save-bar" role="region" aria-label={texts.selection}>
      <span>{texts.selected(selection.size)}</span>
      <Button isDisabled={isBusy} onPress={() => void selectAll()}>
        {texts.selectAll}
      </Button>
      <Button onPress={() => onChange(new Map())}>{texts.clear}</Button>
      <select
        class="bulk-actions"
        aria-label={texts.action}
        value={chosen}
        onChange={event => setChosen(event.currentTarget.value)}
      >
        <option value="">{texts.action}…</option>
        {memberBulkActions.map(one => (
          <option key={one} value={one}>
            {texts.actions[one]}
          </option>
        ))}
      </select>
      <Button isDisabled={chosen === ''} onPress={open}>
        {texts.continue}
      </Button>
      {action === null ? null : (
        <MemberBulkActionDialog
          action={action}
          members={[...selection.values()]}
          onClose={isDone => {
            setAction(null);
            setChosen('');
            if (isDone) onChange(new Map());
          }}
        />
      )}
    </div>
  );
};
