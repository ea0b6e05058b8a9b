import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Switch } from '../../design/controls.tsx';
import { listIcon } from '../../design/icons.ts';
import { EVENT_EXPAND_NAMES } from '../api/event-expand-parameter.ts';
import { useNewEvents } from '../api/live-events.tsx';
import { useGadgets, usePagedApiList, useSites } from '../api/resource-hooks.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/load-error.tsx';
import { LoadingIndicator } from '../components/loading-indicator.tsx';
import { PageHeader } from '../components/page-header.tsx';
import type { ExpandedEvent } from '../events/describe-event.ts';
import { useMessages } from '../messages/language.ts';
import { useUrlQueryParameters } from '../router/links-and-query-parameters.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { EventsByDayList } from './events-by-day.tsx';
import { type EventFilter, matchesEventFilter, toEventQuery } from './event-filter.ts';
import { EventExportButtons } from './event-export-buttons.tsx';
import { useEventFilter } from './use-event-filter.ts';

/** New events that match, newest first, since the filter was selected. */
const useLiveTail = (filter: EventFilter, isLive: boolean): readonly EventResponse[] => {
  const [tail, setTail] = useState<readonly EventResponse[]>([]);
  const key = JSON.stringify(filter);
  useEffect(() => setTail([]), [key]);
  useNewEvents(
    useCallback(
      event => {
        if (isLive && matchesEventFilter(event, filter)) setTail(events => [event, ...events]);
      },
      [key, isLive],
    ),
  );
  return tail;
};

/** The time zone of the filters; null for the list if it contains several sites with different time zones. */
const useActivityZone = (): { readonly zone: string; readonly listZone: string | null } => {
  const [{ door }] = useUrlQueryParameters();
  const { data: doors = [] } = useGadgets();
  const { data: sites = [] } = useSites();
  const siteId = doors.find(({ id }) => id === door)?.site_id;
  const { zone } = useSiteTimeFormats(siteId);
  const zones = new Set(sites.flatMap(({ timezone }) => timezone ?? []));
  return { zone, listZone: siteId === undefined && zones.size > 1 ? null : zone };
};

export const ActivityScreen = () => {
  const { activity } = useMessages();
  const { zone, listZone } = useActivityZone();
  const filter = useEventFilter(zone);
  const [isLive, setLive] = useState(true);
  const query = { ...toEventQuery(filter), expand: EVENT_EXPAND_NAMES };
  const list = usePagedApiList<ExpandedEvent>('event', '/events', query);
  const tail = useLiveTail(filter, isLive) as readonly ExpandedEvent[];
  const known = new Set(tail.map(({ id }) => id));
  const events = [...tail, ...list.items.filter(({ id }) => !known.has(id))];
  const showMore = (): void => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  };
  return (
    <>
      <PageHeader title={activity.title} subtitle={listZone === null ? activity.zones : activity.zone(listZone)}>
        <Switch isOn={isLive} onChange={setLive}>
          {activity.live}
        </Switch>
        <EventExportButtons query={query} />
      </PageHeader>
      <ActivityFilters zone={zone} isZoneShown={listZone === null} />
      {list.isError ? (
        <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <LoadingIndicator />
      ) : events.length === 0 ? (
        <EmptyState icon={listIcon} title={activity.emptyTitle} text={activity.emptyText} />
      ) : (
        <EventsByDayList events={events} onEndReached={showMore} />
      )}
    </>
  );
};
