import type { OrganizationUserResponse } from '@lintel/wire-protocol/admin/organization-user';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { downloadIcon, listIcon } from '../../design/icons.ts';
import { EventsByDayList } from '../activity/events-by-day.tsx';
import { PeriodFilter } from '../activity/period-filter.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiList, usePagedApiList } from '../api/resource-hooks.ts';
import type { QueryParameters } from '../api/send-request.ts';
import { formatAuditAsCsv } from '../audit/export-audit.ts';
import { ObjectFilter } from '../audit/object-filter.tsx';
import { type AuditEntry, useChangeLines } from '../audit/use-change-lines.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/load-error.tsx';
import { LoadingIndicator } from '../components/loading-indicator.tsx';
import { useNotices } from '../components/notices.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { SearchField } from '../components/search-field.tsx';
import { useDebouncedValue } from '../components/use-debounced-value.ts';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { saveAsDownload } from '../csv/format-and-save-csv.ts';
import { useMessages } from '../messages/language.ts';
import { useUrlQueryParameters } from '../router/links-and-query-parameters.ts';
import { parseDateTimeLocalValue } from '../time/date-time-local-value.ts';
import { useSiteTimeFormats, useTimesOfSites } from '../time/use-site-time-formats.ts';
import { OrganizationUsersNavigation } from './organization-users-navigation.tsx';

const MOST_EXPORTED = 10_000;
const SEARCH_DELAY_MS = 300;
const kinds = ['all', 'create', 'edit', 'delete', 'reveal', 'use', 'check'] as const;

/** Exports the entries that match the filters, with times of the site and its time zone. */
const ExportButtons = ({ query }: { readonly query: QueryParameters }) => {
  const messages = useMessages();
  const { activity, audit } = messages;
  const { client } = useCurrentOrganization();
  const { zone, formatDateTime } = useTimesOfSites()(undefined);
  const linesOf = useChangeLines();
  const notices = useNotices();
  const { isBusy, run } = useNotifiedAction();
  const exportAs = (format: 'csv' | 'json'): Promise<void> =>
    run(async () => {
      const entries: AuditEntry[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.list<AuditEntry>('/audit', { ...query, cursor });
        entries.push(...page.data);
        cursor = page.cursor_next;
      } while (cursor !== undefined && entries.length < MOST_EXPORTED);
      const content =
        format === 'csv'
          ? formatAuditAsCsv(entries, { messages, zone, formatLocal: formatDateTime, linesOf })
          : JSON.stringify({ time_zone: zone, times_are_in: 'UTC', entries }, null, 2);
      saveAsDownload(`audit-log.${format}`, format === 'csv' ? 'text/csv' : 'application/json', content);
      notices.show(cursor === undefined ? audit.exported(entries.length) : audit.exportLimited(entries.length));
    });
  return (
    <>
      <Button icon={downloadIcon} isDisabled={isBusy} onPress={() => void exportAs('csv')}>
        {isBusy ? activity.exporting : activity.exportCsv}
      </Button>
      <Button icon={downloadIcon} isDisabled={isBusy} onPress={() => void exportAs('json')}>
        {activity.exportJson}
      </Button>
    </>
  );
};

/** What people and applications did, newest first, with the values before and after. */
export const AuditLogScreen = () => {
  const { people, activity, audit } = useMessages();
  const { allows } = useCurrentOrganization();
  const { zone } = useSiteTimeFormats();
  const [{ user = '', kind = '', object = '', from = '', until = '', q = '' }, setQuery] = useUrlQueryParameters();
  const [search, setSearch] = useState(q);
  const searched = useDebouncedValue(search, SEARCH_DELAY_MS);
  const { data: users = [] } = useApiList<OrganizationUserResponse>('user', '/users', {}, allows('users.read'));
  const query = {
    user: user === '' ? null : user,
    object: object === '' ? null : object,
    kind: kinds.find(one => one === kind && one !== 'all') ?? null,
    from: parseDateTimeLocalValue(from, zone),
    until: parseDateTimeLocalValue(until, zone),
    q: searched.trim() === '' ? null : searched.trim(),
  };
  const list = usePagedApiList<AuditEntry>('event', '/audit', query);
  const linesOf = useChangeLines();
  return (
    <>
      <PageHeader title={people.title} subtitle={people.auditText}>
        <ExportButtons query={query} />
      </PageHeader>
      <OrganizationUsersNavigation />
      <div class="activity-filters">
        <SearchField
          label={audit.search}
          value={search}
          onChange={text => {
            setSearch(text);
            setQuery({ q: text === '' ? null : text });
          }}
        />
        <select
          aria-label={people.person}
          value={user}
          onChange={event => setQuery({ user: event.currentTarget.value })}
        >
          <option value="">{people.everyone}</option>
          {users.map(({ id, name, email }) => (
            <option key={id} value={id}>
              {name || email}
            </option>
          ))}
        </select>
        <select
          aria-label={activity.kind}
          value={kind}
          onChange={event => setQuery({ kind: event.currentTarget.value })}
        >
          {kinds.map(one => (
            <option key={one} value={one === 'all' ? '' : one}>
              {audit.kinds[one]}
            </option>
          ))}
        </select>
        <PeriodFilter zone={zone} isZoneShown />
        <ObjectFilter id={object === '' ? null : object} onChange={id => setQuery({ object: id })} />
      </div>
      <p class="quiet small">{activity.zone(zone)}</p>
      {list.isError ? (
        <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <LoadingIndicator />
      ) : list.items.length === 0 ? (
        <EmptyState icon={listIcon} title={people.noActions} text={people.noActionsText} />
      ) : (
        <EventsByDayList
          events={list.items}
          linesOf={linesOf}
          onEndReached={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
          }}
        />
      )}
    </>
  );
};
