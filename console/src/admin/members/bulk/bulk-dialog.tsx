import type {
  MemberCredentialDeliveryResponse,
  MemberLockout,
} from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import type { TagResponse } from '@lintel/wire-protocol/rest/tag';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../components/dialog.tsx';
import { FormField } from '../../../components/form-field.tsx';
import { Form } from '../../../components/form.tsx';
import { LockoutTexts } from '../../access/lockout-status.tsx';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { buildOrganizationQueryKey, useApiList } from '../../api/resource-hooks.ts';
import { useQuery } from '../../api/use-query.ts';
import { describeAdminError } from '../../components/describe-admin-error.ts';
import { GroupedSelectField } from '../../components/grouped-select-field.tsx';
import { TextField } from '../../components/form-fields.tsx';
import { useTypedInput, useUnsavedInput } from '../../components/unsaved-input.tsx';
import { CONFIRMATION_RELOAD_MS } from '../../credentials/use-member-credential-delivery.ts';
import { useMessages } from '../../messages/language.ts';
import { parseDateTimeLocalValue } from '../../time/date-time-local-value.ts';
import { useSiteTimeFormats } from '../../time/use-site-time-formats.ts';
import type { MemberWithGroupAssociations } from '../member-list-item.tsx';
import { applyBulkActionToMember, type MemberBulkAction } from './apply-bulk-action.ts';
import { type BulkItemResult, runInBulk, waitBeforeBulkRetry } from './run-bulk.ts';
import { CancelButton, DialogButtons } from '../../components/dialog-buttons.tsx';

const NEW_TAG = 'new';

interface TargetFieldProps {
  readonly action: MemberBulkAction;
  readonly value: string;
  readonly newTag: string;
  readonly onChange: (value: string) => void;
  readonly onNewTag: (name: string) => void;
}

/** The group or tag of the action. A tag can be created here. */
const TargetField = ({ action, value, newTag, onChange, onNewTag }: TargetFieldProps) => {
  const { bulk: texts, members } = useMessages();
  const { allows } = useCurrentOrganization();
  const isGroup = action === 'addGroup' || action === 'removeGroup';
  const groups = useApiList<MemberGroupResponse>('member_group', '/member_groups', { limit: 100 }, isGroup);
  const tags = useApiList<TagResponse>('tag', '/tags', {}, !isGroup && allows('tags.read'));
  const options = (isGroup ? groups.data : tags.data) ?? [];
  return (
    <>
      <GroupedSelectField
        id="bulk-target"
        label={isGroup ? members.group : members.tag}
        value={value}
        options={[
          { id: '', name: texts.choose },
          ...options,
          ...(action === 'addTag' && allows('tags.write') ? [{ id: NEW_TAG, name: texts.newTag }] : []),
        ]}
        onChange={onChange}
      />
      {value === NEW_TAG ? <TextField id="bulk-tag" label={texts.tagName} value={newTag} onChange={onNewTag} /> : null}
    </>
  );
};

interface BulkProgressProps {
  readonly results: readonly BulkItemResult<MemberWithGroupAssociations>[];
  readonly total: number;
}

const BulkProgress = ({ results, total }: BulkProgressProps) => {
  const messages = useMessages();
  const { bulk: texts, members } = messages;
  const countOf = (outcome: string): number => results.filter(result => result.outcome === outcome).length;
  const failed = results.filter(result => result.outcome instanceof Error);
  return (
    <>
      <progress aria-label={texts.progress} value={results.length} max={total} />
      <p role="status">{texts.summary(countOf('done'), countOf('skipped'), failed.length, total)}</p>
      <ul>
        {failed.map(({ item, outcome }) => (
          <li key={item.id} class="wrong small">
            {item.name === '' ? members.unnamed : item.name}: {describeAdminError(messages, outcome as Error)}
          </li>
        ))}
      </ul>
    </>
  );
};

/** More would be a request each. Their pages show the same. */
const MOST_MEMBERS = 50;

/** A door that still opens for one of the members still opens for all that the text is about. */
const mergeLockouts = (lockouts: readonly MemberLockout[]): MemberLockout => {
  const doors = new Map<string, MemberLockout['doors'][number]>();
  for (const door of lockouts.flatMap(lockout => lockout.doors)) {
    const known = doors.get(door.gadget_id);
    const isLater = (door.locked_out_at ?? '') > (known?.locked_out_at ?? '');
    if (known === undefined || (known.status === 'locked_out' && (door.status === 'still_opens' || isLater)))
      doors.set(door.gadget_id, door);
  }
  return { opens_other_doors: false, doors: [...doors.values()] };
};

/** Where the members whose access was taken away are locked out, together. */
const BulkLockout = ({ memberIds }: { readonly memberIds: readonly string[] }) => {
  const { bulk: texts } = useMessages();
  const { id, client } = useCurrentOrganization();
  const shown = memberIds.slice(0, MOST_MEMBERS);
  const { data } = useQuery({
    queryKey: buildOrganizationQueryKey(id, 'member', 'lockouts', shown.join(' ')),
    queryFn: async () => {
      const lockouts: MemberLockout[] = [];
      for (const memberId of shown) {
        const { lockout } = await client.get<MemberCredentialDeliveryResponse>(`/members/${memberId}/delivery`);
        if (lockout !== null) lockouts.push(lockout);
      }
      return mergeLockouts(lockouts);
    },
    refetchInterval: CONFIRMATION_RELOAD_MS,
  });
  if (data === undefined || data.doors.length === 0) return null;
  return (
    <div role="status">
      <LockoutTexts lockout={data} />
      {memberIds.length > MOST_MEMBERS ? <p class="quiet small">{texts.lockoutOf(MOST_MEMBERS)}</p> : null}
    </div>
  );
};

interface BulkDialogProps {
  readonly action: MemberBulkAction;
  readonly members: readonly MemberWithGroupAssociations[];
  readonly onClose: (isDone: boolean) => void;
}

/** Asks for what the action needs, runs it for each member and shows the result of each. */
export const MemberBulkActionDialog = ({ action, members, onClose }: BulkDialogProps) => {
  const { bulk: texts, stay } = useMessages();
  const { id, client } = useCurrentOrganization();
  const { zone } = useSiteTimeFormats();
  const [targetId, setTargetId] = useState('');
  const [newTag, setNewTag] = useState('');
  const [until, setUntil] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const [results, setResults] = useState<readonly BulkItemResult<MemberWithGroupAssociations>[] | null>(null);
  const messages = useMessages();
  const typed = useTypedInput();
  const needsTarget = !['extend', 'end', 'delete'].includes(action);
  const endsAt = action === 'end' ? new Date().toISOString() : parseDateTimeLocalValue(until, zone);
  const isIncomplete =
    (needsTarget && (targetId === '' || (targetId === NEW_TAG && newTag.trim() === ''))) ||
    (action === 'extend' && endsAt === null);
  const run = async (): Promise<void> => {
    setError(null);
    try {
      const target =
        targetId === NEW_TAG ? (await client.post<TagResponse>('/tags', { name: newTag.trim() })).id : targetId;
      setResults([]);
      const choice = { action, targetId: target, endsAt };
      const work = (member: MemberWithGroupAssociations) => applyBulkActionToMember(client, member, choice);
      await runInBulk({ items: members, work, onProgress: setResults, wait: waitBeforeBulkRetry });
      const kinds = ['member', 'member_group_association', 'tag'];
      await Promise.all(kinds.map(kind => queryClient.invalidateQueries({ queryKey: [id, kind] })));
    } catch (problem) {
      setError(problem as Error);
    }
  };
  const isDone = results !== null && results.length === members.length;
  useUnsavedInput(results !== null && !isDone);
  const close = (): void => (results === null ? typed.close(() => onClose(false)) : onClose(isDone));
  const title = texts.titles[action](members.length);
  return (
    <Dialog label={title} onClose={results === null || isDone ? close : null}>
      <h2>{title}</h2>
      {results === null ? (
        <Form
          isDisabled={isIncomplete}
          onSubmit={() => void run()}
          onInput={typed.onInput}
          submitLabel={texts.actions[action]}
          cancel={<CancelButton onPress={close} />}
        >
          <p class="quiet">{texts.effects[action]}</p>
          {needsTarget ? (
            <TargetField action={action} value={targetId} newTag={newTag} onChange={setTargetId} onNewTag={setNewTag} />
          ) : null}
          {action === 'extend' ? (
            <FormField id="bulk-until" label={stay.until} hint={stay.datesHint(zone)}>
              {field => (
                <input
                  {...field}
                  type="datetime-local"
                  value={until}
                  onInput={event => setUntil(event.currentTarget.value)}
                />
              )}
            </FormField>
          ) : null}
          {error === null ? null : (
            <p class="wrong" role="alert">
              {describeAdminError(messages, error)}
            </p>
          )}
        </Form>
      ) : (
        <>
          <BulkProgress results={results} total={members.length} />
          {isDone && ['removeGroup', 'end', 'delete'].includes(action) ? (
            <BulkLockout memberIds={results.flatMap(({ item, outcome }) => (outcome === 'done' ? [item.id] : []))} />
          ) : null}
        </>
      )}
      {isDone ? <DialogButtons label="close" onClose={close} /> : null}
    </Dialog>
  );
};
