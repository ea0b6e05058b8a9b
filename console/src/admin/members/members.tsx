import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { Icon } from '../../design/icon.tsx';
import { addIcon, peopleIcon, uploadIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { usePagedApiList } from '../api/resource-hooks.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/load-error.tsx';
import { LoadingIndicator } from '../components/loading-indicator.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { SearchField } from '../components/search-field.tsx';
import { useDebouncedValue } from '../components/use-debounced-value.ts';
import { VirtualizedList } from '../components/virtualized-list.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo, useUrlQueryParameters } from '../router/links-and-query-parameters.ts';
import { MemberBulkActionBar, type MemberSelection } from './bulk/bulk-bar.tsx';
import { ExportMembersButton } from './bulk/export-members.tsx';
import { ImportMembersDialog } from './import/import-members.tsx';
import { MemberFilters } from './member-filters.tsx';
import { type MemberWithGroupAssociations, MemberListItem } from './member-list-item.tsx';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { memberStatuses, buildMemberStatusFilter } from './member-status.ts';
import { useMemberClockSites } from './use-member-clock-sites.ts';

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

/** The query for the members that match the address. */
const useMemberQuery = () => {
  const [{ status, group, tag, search }] = useUrlQueryParameters();
  const selected = memberStatuses.find(value => value === status) ?? null;
  // A cursor belongs to its filters, so the time stays the same for all pages.
  const now = useMemo(() => new Date().toISOString(), [selected]);
  return {
    ...buildMemberStatusFilter(selected, now),
    search,
    member_group_id: group,
    tag_id: tag,
    expand: 'group_associations.member_group',
  };
};

const MemberSearchField = () => {
  const { members } = useMessages();
  const [query, setQuery] = useUrlQueryParameters();
  const [text, setText] = useState(query['search'] ?? '');
  const settled = useDebouncedValue(text, DEBOUNCE_MS);
  useEffect(() => {
    if (settled !== (query['search'] ?? '')) setQuery({ search: settled });
  }, [settled]);
  useEffect(() => setText(query['search'] ?? ''), [query['search']]);
  return <SearchField label={members.search} value={text} onChange={setText} />;
};

const NoMembers = () => {
  const { members } = useMessages();
  const { allows } = useCurrentOrganization();
  const [query, setQuery] = useUrlQueryParameters();
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

interface SelectableRowProps {
  readonly member: MemberWithGroupAssociations;
  readonly siteId: string | undefined;
  readonly selection: MemberSelection;
  readonly onChange: (selection: MemberSelection) => void;
}

const SelectableRow = ({ member, siteId, selection, onChange }: SelectableRowProps) => {
  const { bulk, members } = useMessages();
  const toggle = (isSelected: boolean): void => {
    const others = [...selection].filter(([id]) => id !== member.id);
    onChange(new Map(isSelected ? [...others, [member.id, member]] : others));
  };
  return (
    <div class="selectable-row">
      <label class="choice">
        <input
          type="checkbox"
          aria-label={bulk.select(member.name === '' ? members.unnamed : member.name)}
          checked={selection.has(member.id)}
          onChange={event => toggle(event.currentTarget.checked)}
        />
      </label>
      <MemberListItem member={member} siteId={siteId} />
    </div>
  );
};

export const MembersScreen = () => {
  const { members, bulk, activity } = useMessages();
  const { zone, isOnlyZone } = useSiteTimeFormats();
  const { allows } = useCurrentOrganization();
  const [isImporting, setImporting] = useState(false);
  const query = useMemberQuery();
  const list = usePagedApiList<MemberWithGroupAssociations>('member', '/members', { ...query, limit: PAGE_SIZE });
  const [selection, setSelection] = useState<MemberSelection>(new Map());
  const canEdit = allows('members.write');
  const siteOf = useMemberClockSites();
  const showMore = (): void => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  };
  return (
    <>
      <PageHeader title={members.title} subtitle={members.subtitle}>
        {list.items.length === 0 ? null : <ExportMembersButton query={query} />}
        {canEdit ? (
          <>
            <Button icon={uploadIcon} onPress={() => setImporting(true)}>
              {bulk.import}
            </Button>
            <NewStayLink />
          </>
        ) : null}
      </PageHeader>
      <div class="section">
        <MemberSearchField />
        <MemberFilters />
        {isOnlyZone ? <p class="quiet small">{activity.zone(zone)}</p> : null}
      </div>
      {list.isError ? (
        <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <LoadingIndicator />
      ) : list.items.length === 0 ? (
        <NoMembers />
      ) : (
        <VirtualizedList
          label={members.list}
          items={list.items}
          keyOf={member => member.id}
          estimatedHeight={ROW_HEIGHT}
          onEndReached={showMore}
        >
          {member =>
            canEdit ? (
              <SelectableRow member={member} siteId={siteOf(member)} selection={selection} onChange={setSelection} />
            ) : (
              <MemberListItem member={member} siteId={siteOf(member)} />
            )
          }
        </VirtualizedList>
      )}
      {isImporting ? <ImportMembersDialog onClose={() => setImporting(false)} /> : null}
      <MemberBulkActionBar selection={selection} query={query} onChange={setSelection} />
      {list.isFetchingNextPage ? <p class="quiet">{members.loadingMore}</p> : null}
    </>
  );
};
