import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { useCallback, useState } from 'preact/hooks';
import { EVENT_EXPAND_NAMES } from '../api/event-expand-parameter.ts';
import { useNewEvents } from '../api/live-events.tsx';
import type { QueryParameters } from '../api/send-request.ts';
import { usePagedApiList } from '../api/resource-hooks.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { useCommonTimeZone } from '../time/use-site-time-formats.ts';
import type { ExpandedEvent } from './describe-event.ts';
import { EventListItem } from './event-list-item.tsx';

interface RecentEventsProps {
  readonly title: string;
  readonly count: number;
  /** Filters of the event list. */
  readonly query?: QueryParameters;
  /** The same filter, for new events. */
  readonly matches?: (event: EventResponse) => boolean;
  /** Instead of the usual text for an empty list. */
  readonly emptyText?: string;
  /** Address of all these events. */
  readonly activityPath: string;
}

/** The latest events as sentences; new ones appear at the top. */
export const RecentEventList = ({ title, count, query = {}, matches, emptyText, activityPath }: RecentEventsProps) => {
  const { events: texts, activity } = useMessages();
  const linkTo = useLinkTo();
  const list = usePagedApiList<ExpandedEvent>('event', '/events', {
    ...query,
    limit: count,
    expand: EVENT_EXPAND_NAMES,
  });
  const [fresh, setFresh] = useState<readonly ExpandedEvent[]>([]);
  const add = useCallback(
    (event: ExpandedEvent) => {
      if (matches === undefined || matches(event)) setFresh(events => [event, ...events].slice(0, count));
    },
    [JSON.stringify(query)],
  );
  useNewEvents(add);
  const known = new Set(fresh.map(({ id }) => id));
  const events = [...fresh, ...list.items.filter(({ id }) => !known.has(id))].slice(0, count);
  const zone = useCommonTimeZone(events.map(({ object }) => object.site_id));
  return (
    <section class="card" aria-labelledby="recent-events">
      <div class="panel">
        <div class="title-line">
          <h2 id="recent-events">{title}</h2>
          <a href={linkTo(activityPath)}>{texts.allActivity}</a>
        </div>
        {events.length === 0 ? null : <p class="quiet small">{zone === null ? activity.zones : activity.zone(zone)}</p>}
      </div>
      {events.length === 0 ? <p class="panel quiet">{emptyText ?? texts.noActivity}</p> : null}
      <ul class="event-list">
        {events.map(event => (
          <li key={event.id}>
            <EventListItem event={event} hasDay />
          </li>
        ))}
      </ul>
    </section>
  );
};
