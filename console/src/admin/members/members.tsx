import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { Icon } from '../../design/icon.tsx';
import { addIcon, peopleIcon } from '../../design/icons.ts';
import { useOrganization } from '../api/organization.ts';
import { usePagedList } from '../api/resources.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Loading } from '../components/loading.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { useDebounced } from '../components/use-debounced.ts';
import { VirtualList } from '../components/virtual-list.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo, useQueryParameters } from '../router/links.ts';
import { MemberFilters } from './member-filters.tsx';
import { type ListedMember, MemberRow } from './member-row.tsx';
import { memberStatuses, statusFilter } from './member-status.ts';

const ROW_HEIGHT = 64;
const PAGE_SIZE = 50;
const DEBOUNCE_MS = 200;

const NewStayLink = () => {
  const { members } = useMessages();
  return (
    <a class="button primary" href={useLinkTo()('/members/new')}>
      <Icon shape={addIcon} />
      {members.newStay}
    </a>
  );
};

/** The members that match the address, page by page. */
const useMemberList = () => {
  const [{ status, group, tag, search }] = useQueryParameters();
  const selected = memberStatuses.find(value => value === status) ?? null;
  // A cursor belongs to its filters, so the time stays the same for all pages.
  const now = useMemo(() => new Date().toISOString(), [selected]);
  return usePagedList<ListedMember>('member', '/members', {
    ...statusFilter(selected, now),
    search,
    member_group_id: group,
    tag_id: tag,
    limit: PAGE_SIZE,
    expand: 'group_associations.member_group',
  });
};

const SearchField = () => {
  const { members } = useMessages();
  const [query, setQuery] = useQueryParameters();
  const [text, setText] = useState(query['search'] ?? '');
  const settled = useDebounced(text, DEBOUNCE_MS);
  useEffect(() => {
    if (settled !== (query['search'] ?? '')) setQuery({ search: settled });
  }, [settled]);
  useEffect(() => setText(query['search'] ?? ''), [query['search']]);
  return (
    <input
      type="search"
      class="filter"
      aria-label={members.search}
      placeholder={members.search}
      value={text}
      onInput={event => setText(event.currentTarget.value)}
    />
  );
};

const NoMembers = () => {
  const { members } = useMessages();
  const { allows } = useOrganization();
  const [query, setQuery] = useQueryParameters();
  const isFiltered = Object.values(query).some(value => value !== '');
  if (isFiltered)
    return (
      <EmptyState icon={peopleIcon} title={members.noMatchTitle} text={members.noMatchText}>
        <Button onPress={() => setQuery({ search: null, status: null, group: null, tag: null })}>
          {members.clearFilters}
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState icon={peopleIcon} title={members.emptyTitle} text={members.emptyText}>
      {allows('members.write') ? <NewStayLink /> : null}
    </EmptyState>
  );
};

export const MembersScreen = () => {
  const { members } = useMessages();
  const { allows } = useOrganization();
  const list = useMemberList();
  const showMore = (): void => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  };
  return (
    <>
      <PageHeader title={members.title} subtitle={members.subtitle}>
        {allows('members.write') ? <NewStayLink /> : null}
      </PageHeader>
      <div class="section">
        <SearchField />
        <MemberFilters />
      </div>
      {list.isError ? (
        <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Loading />
      ) : list.items.length === 0 ? (
        <NoMembers />
      ) : (
        <VirtualList
          label={members.list}
          items={list.items}
          keyOf={member => member.id}
          estimatedHeight={ROW_HEIGHT}
          onEndReached={showMore}
        >
          {member => <MemberRow member={member} />}
        </VirtualList>
      )}
      {list.isFetchingNextPage ? <p class="quiet">{members.loadingMore}</p> : null}
    </>
  );
};
