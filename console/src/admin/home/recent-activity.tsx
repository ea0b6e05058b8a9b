import { useCallback, useState } from 'preact/hooks';
import { EVENT_EXPAND, useNewEvents } from '../api/live-events.tsx';
import { usePagedList } from '../api/resources.ts';
import type { ExpandedEvent } from '../events/describe-event.ts';
import { EventItem } from '../events/event-item.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links.ts';

const MOST_EVENTS = 8;

/** The latest events as sentences; new ones appear at the top. */
export const RecentActivity = () => {
  const { home } = useMessages();
  const linkTo = useLinkTo();
  const list = usePagedList<ExpandedEvent>('event', '/events', { limit: MOST_EVENTS, expand: EVENT_EXPAND });
  const [fresh, setFresh] = useState<readonly ExpandedEvent[]>([]);
  useNewEvents(useCallback(event => setFresh(events => [event, ...events].slice(0, MOST_EVENTS)), []));
  const known = new Set(fresh.map(({ id }) => id));
  const events = [...fresh, ...list.items.filter(({ id }) => !known.has(id))].slice(0, MOST_EVENTS);
  return (
    <section class="card" aria-labelledby="home-activity">
      <div class="panel">
        <div class="title-line">
          <h2 id="home-activity">{home.recent}</h2>
          <a href={linkTo('/activity')}>{home.allActivity}</a>
        </div>
      </div>
      {events.length === 0 ? <p class="panel quiet">{home.noActivity}</p> : null}
      <ul class="event-list">
        {events.map(event => (
          <li key={event.id}>
            <EventItem event={event} hasDay />
          </li>
        ))}
      </ul>
    </section>
  );
};
