import { useState } from 'preact/hooks';
import { VirtualizedList } from '../components/virtualized-list.tsx';
import type { ExpandedEvent } from '../events/describe-event.ts';
import { EventListItem } from '../events/event-list-item.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { EventDetailsDialog } from './event-details.tsx';

const ROW_HEIGHT = 56;

interface EventsByDayProps<E extends ExpandedEvent> {
  readonly events: readonly E[];
  /** What an event changed. */
  readonly linesOf?: (event: E) => readonly string[];
  readonly onEndReached: () => void;
}

/** Events by day; each opens its details. */
export const EventsByDayList = <E extends ExpandedEvent>({ events, linesOf, onEndReached }: EventsByDayProps<E>) => {
  const { activity } = useMessages();
  const time = useSiteTimeFormats();
  const [selected, setSelected] = useState<E | null>(null);
  const dayOf = (index: number): string | null =>
    events[index] === undefined ? null : time.formatDay(events[index].occurred_at);
  return (
    <>
      <VirtualizedList
        label={activity.list}
        items={events}
        keyOf={({ id }) => id}
        estimatedHeight={ROW_HEIGHT}
        onEndReached={onEndReached}
      >
        {(event, index) => (
          <>
            {dayOf(index) === dayOf(index - 1) ? null : <h2 class="day-heading">{dayOf(index)}</h2>}
            <EventListItem event={event} lines={linesOf?.(event) ?? []} onSelect={() => setSelected(event)} />
          </>
        )}
      </VirtualizedList>
      {selected === null ? null : (
        <EventDetailsDialog event={selected} lines={linesOf?.(selected) ?? []} onClose={() => setSelected(null)} />
      )}
    </>
  );
};
