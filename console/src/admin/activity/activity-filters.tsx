import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import { Button } from '../../design/controls.tsx';
import { crossMarkIcon } from '../../design/icons.ts';
import { useOrganization } from '../api/organization.ts';
import { useGadgets, useObject } from '../api/resources.ts';
import { useMessages } from '../messages/language.ts';
import { useQueryParameters } from '../router/links.ts';
import { eventKinds } from './event-filter.ts';

const MemberFilter = ({ memberId, onRemove }: { readonly memberId: string; readonly onRemove: () => void }) => {
  const { activity, members } = useMessages();
  const { allows } = useOrganization();
  const { data } = useObject<MemberResponse>('member', `/members/${memberId}`, {}, allows('members.read'));
  const text = activity.member(data?.name || members.unnamed);
  return (
    <Button icon={crossMarkIcon} label={activity.removeFilter(text)} onPress={onRemove}>
      {text}
    </Button>
  );
};

/** The filters of the list; they are part of the address. */
export const ActivityFilters = () => {
  const { activity, events } = useMessages();
  const { data: doors = [] } = useGadgets();
  const [query, setQuery] = useQueryParameters();
  const select = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <select
      aria-label={label}
      value={query[name] ?? ''}
      onChange={event => setQuery({ [name]: event.currentTarget.value })}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  const time = (name: 'from' | 'until') => (
    <label class="time-filter">
      <span class="quiet small">{activity[name]}</span>
      <input
        type="datetime-local"
        value={query[name] ?? ''}
        onChange={event => setQuery({ [name]: event.currentTarget.value })}
      />
    </label>
  );
  const member = query['member'];
  return (
    <div class="activity-filters">
      {select(
        'kind',
        activity.kind,
        eventKinds.map(kind => [kind === 'all' ? '' : kind, activity.kinds[kind]]),
      )}
      {select('door', activity.door, [['', activity.anyDoor], ...doors.map(({ id, name }) => [id, name] as const)])}
      {query['kind'] === 'deny'
        ? select('reason', activity.reason, [['', activity.anyReason], ...Object.entries(events.reasons)])
        : null}
      {time('from')}
      {time('until')}
      {member === undefined || member === '' ? null : (
        <MemberFilter memberId={member} onRemove={() => setQuery({ member: null })} />
      )}
    </div>
  );
};
