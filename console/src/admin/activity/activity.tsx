import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Switch } from '../../design/controls.tsx';
import { listIcon } from '../../design/icons.ts';
import { EVENT_EXPAND, useNewEvents } from '../api/live-events.tsx';
import { usePagedList } from '../api/resources.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Loading } from '../components/loading.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import type { ExpandedEvent } from '../events/describe-event.ts';
import { EventItem } from '../events/event-item.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTime } from '../time/use-site-time.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { EventDetails } from './event-details.tsx';
import { type EventFilter, matchesEventFilter, toEventQuery } from './event-filter.ts';
import { ExportButtons } from './export-buttons.tsx';
import { useEventFilter } from './use-event-filter.ts';

const ROW_HEIGHT = 56;

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

const EventRows = ({
  events,
  onEndReached,
}: {
  readonly events: readonly ExpandedEvent[];
  readonly onEndReached: () => void;
}) => {
  const { activity } = useMessages();
  const time = useSiteTime();
  const [selected, setSelected] = useState<ExpandedEvent | null>(null);
  const dayOf = (index: number): string | null =>
    events[index] === undefined ? null : time.formatDay(events[index].occurred_at);
  return (
    <>
      <VirtualList
        label={activity.list}
        items={events}
        keyOf={({ id }) => id}
        estimatedHeight={ROW_HEIGHT}
        onEndReached={onEndReached}
      >
        {(event, index) => (
          <>
            {dayOf(index) === dayOf(index - 1) ? null : <h2 class="day-heading">{dayOf(index)}</h2>}
            <EventItem event={event} onSelect={setSelected} />
          </>
        )}
      </VirtualList>
      {selected === null ? null : <EventDetails event={selected} onClose={() => setSelected(null)} />}
    </>
  );
};

export const ActivityScreen = () => {
  const { activity } = useMessages();
  const { zone } = useSiteTime();
  const filter = useEventFilter(zone);
  const [isLive, setLive] = useState(true);
  const query = { ...toEventQuery(filter), expand: EVENT_EXPAND };
  const list = usePagedList<ExpandedEvent>('event', '/events', query);
  const tail = useLiveTail(filter, isLive) as readonly ExpandedEvent[];
  const known = new Set(tail.map(({ id }) => id));
  const events = [...tail, ...list.items.filter(({ id }) => !known.has(id))];
  const showMore = (): void => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  };
  return (
    <>
      <PageHeader title={activity.title} subtitle={activity.zone(zone)}>
        <Switch isOn={isLive} onChange={setLive}>
          {activity.live}
        </Switch>
        <ExportButtons query={query} />
      </PageHeader>
      <ActivityFilters />
      {list.isError ? (
        <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Loading />
      ) : events.length === 0 ? (
        <EmptyState icon={listIcon} title={activity.emptyTitle} text={activity.emptyText} />
      ) : (
        <EventRows events={events} onEndReached={showMore} />
      )}
    </>
  );
};
