import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import type { TagResponse } from '@lintel/wire-protocol/rest/tag';
import { SegmentedControl } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiList } from '../api/resource-hooks.ts';
import { useMessages } from '../messages/language.ts';
import { useUrlQueryParameters } from '../router/links-and-query-parameters.ts';
import { memberStatuses } from './member-status.ts';

interface ChoiceProps {
  readonly label: string;
  readonly anyLabel: string;
  readonly value: string | undefined;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly onChange: (id: string) => void;
}

const Choice = ({ label, anyLabel, value = '', options, onChange }: ChoiceProps) =>
  options.length === 0 ? null : (
    <select aria-label={label} value={value} onChange={event => onChange(event.currentTarget.value)}>
      <option value="">{anyLabel}</option>
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );

/** The filters of the list; they are part of the address. */
export const MemberFilters = () => {
  const { members } = useMessages();
  const { allows } = useCurrentOrganization();
  const [query, setQuery] = useUrlQueryParameters();
  const groups = useApiList<MemberGroupResponse>('member_group', '/member_groups', {}, allows('member_groups.read'));
  const tags = useApiList<TagResponse>('tag', '/tags', {}, allows('tags.read'));
  return (
    <div class="member-filters">
      <SegmentedControl
        name="status"
        legend={members.status}
        value={query['status'] ?? 'all'}
        options={[
          { value: 'all', label: members.all },
          ...memberStatuses.map(value => ({ value, label: members.statuses[value] })),
        ]}
        onChange={status => setQuery({ status: status === 'all' ? null : status })}
      />
      <Choice
        label={members.group}
        anyLabel={members.anyGroup}
        value={query['group']}
        options={groups.data ?? []}
        onChange={group => setQuery({ group })}
      />
      <Choice
        label={members.tag}
        anyLabel={members.anyTag}
        value={query['tag']}
        options={tags.data ?? []}
        onChange={tag => setQuery({ tag })}
      />
    </div>
  );
};
