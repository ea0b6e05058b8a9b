import type { ListPageResponse } from '@lintel/wire-protocol/rest/list-page';
import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import { useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { buildOrganizationQueryKey } from '../api/resource-hooks.ts';
import { useQuery } from '../api/use-query.ts';
import { useMessages } from '../messages/language.ts';
import { useDebouncedValue } from './use-debounced-value.ts';

const MOST_RESULTS = 6;
const DEBOUNCE_MS = 150;

interface MemberPickerProps {
  readonly selected: MemberResponse | null;
  readonly onSelect: (member: MemberResponse | null) => void;
}

/** Finds one member by name, email or reference. */
export const MemberPicker = ({ selected, onSelect }: MemberPickerProps) => {
  const { members, shell } = useMessages();
  const { id, client } = useCurrentOrganization();
  const [text, setText] = useState('');
  const search = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const found = useQuery({
    queryKey: buildOrganizationQueryKey(id, 'member', 'pick', search),
    queryFn: () => client.list<MemberResponse>('/members', { search, limit: MOST_RESULTS }),
    enabled: selected === null,
    placeholderData: (previous: ListPageResponse<MemberResponse> | undefined) => previous,
  });
  const results = found.data?.data ?? [];
  return (
    <>
      <FormField id="member-picker" label={members.member} hint={members.search}>
        {field => (
          <input
            {...field}
            type="search"
            autocomplete="off"
            value={selected === null ? text : selected.name}
            onInput={event => {
              onSelect(null);
              setText(event.currentTarget.value);
            }}
          />
        )}
      </FormField>
      {selected === null ? (
        <ul class="pick-list" aria-label={shell.searchResults}>
          {results.map(member => (
            <li key={member.id}>
              <button type="button" class="button plain" onClick={() => onSelect(member)}>
                {member.name === '' ? members.unnamed : member.name}
              </button>
            </li>
          ))}
          {found.data !== undefined && results.length === 0 ? <li class="quiet">{members.noMatchTitle}</li> : null}
        </ul>
      ) : null}
    </>
  );
};
