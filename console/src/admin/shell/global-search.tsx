import type { ListPageResponse } from '@lintel/wire-protocol/rest/list-page';
import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import { useLocation } from 'preact-iso/router';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../design/icon.tsx';
import { personIcon, searchIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { buildOrganizationQueryKey, useGadgets } from '../api/resource-hooks.ts';
import { useQuery } from '../api/use-query.ts';
import { useDebouncedValue } from '../components/use-debounced-value.ts';
import { matchesSearch } from '../components/matches-search.ts';
import { selectGadgetIcon } from '../doors/select-gadget-icon.ts';
import { useLeaveScreen } from '../components/unsaved-input.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';

interface SearchResult {
  readonly id: string;
  readonly icon: string;
  readonly name: string;
  readonly address: string;
}

const MOST_MEMBERS = 6;
const MOST_DOORS = 4;
const DEBOUNCE_MS = 150;

const useSearchResults = (text: string): { readonly results: readonly SearchResult[]; readonly isLoading: boolean } => {
  const { id, client, allows } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const debounced = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const members = useQuery({
    queryKey: buildOrganizationQueryKey(id, 'member', 'search', debounced),
    queryFn: () => client.list<MemberResponse>('/members', { search: debounced, limit: MOST_MEMBERS }),
    enabled: debounced !== '' && allows('members.read'),
    placeholderData: (previous: ListPageResponse<MemberResponse> | undefined) => previous,
  });
  const gadgets = useGadgets();
  if (debounced === '') return { results: [], isLoading: text.trim() !== '' };
  const found = members.data?.data ?? [];
  const doors = (gadgets.data ?? []).filter(({ name }) => matchesSearch(name, debounced)).slice(0, MOST_DOORS);
  return {
    isLoading: members.isFetching || debounced !== text.trim(),
    results: [
      ...found.map(member => ({
        id: member.id,
        icon: personIcon,
        name: member.name,
        address: linkTo(`/members/${member.id}`),
      })),
      ...doors.map(door => ({
        id: door.id,
        icon: selectGadgetIcon(door),
        name: door.name,
        address: linkTo(`/doors/${door.id}`),
      })),
    ],
  };
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]') !== null;

/** Finds members and doors from every screen; `/` moves the focus here. */
export const GlobalSearch = () => {
  const { shell } = useMessages();
  const { route, path } = useLocation();
  const leave = useLeaveScreen();
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const { results, isLoading } = useSearchResults(text);
  const isOpen = text.trim() !== '' && (results.length > 0 || !isLoading);
  useEffect(() => setText(''), [path]);
  useEffect(() => {
    const focusSearch = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focusSearch);
    return () => document.removeEventListener('keydown', focusSearch);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && results.length > 0) {
      event.preventDefault();
      setSelected((selected + step + results.length) % results.length);
    }
    const target = results[selected];
    if (event.key === 'Enter' && target !== undefined) leave(() => route(target.address));
    if (event.key === 'Escape') setText('');
  };
  return (
    <div class="search" role="search">
      <Icon shape={searchIcon} />
      <input
        ref={input}
        type="search"
        list={undefined}
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-label={shell.search}
        aria-expanded={isOpen ? 'true' : 'false'}
        aria-controls="search-results"
        aria-activedescendant={isOpen && results[selected] !== undefined ? `search-${selected}` : undefined}
        placeholder={shell.searchPlaceholder}
        title={shell.searchShortcut}
        value={text}
        onInput={event => {
          setText(event.currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id="search-results"
        class={isOpen ? 'search-results card' : undefined}
        role="listbox"
        aria-label={shell.searchResults}
      >
        {isOpen
          ? results.map(({ id, icon, name, address }, index) => (
              <a
                key={id}
                id={`search-${index}`}
                role="option"
                aria-selected={index === selected ? 'true' : 'false'}
                tabIndex={-1}
                href={address}
              >
                <Icon shape={icon} />
                {name}
              </a>
            ))
          : null}
      </div>
      {isOpen && results.length === 0 ? (
        <p class="search-results card quiet" role="status">
          {shell.noResults(text.trim())}
        </p>
      ) : null}
    </div>
  );
};
