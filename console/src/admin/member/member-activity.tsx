import { useOrganization } from '../api/organization.ts';
import { EVENT_EXPAND } from '../api/live-events.tsx';
import { usePagedList } from '../api/resources.ts';
import type { ExpandedEvent } from '../events/describe-event.ts';
import { EventItem } from '../events/event-item.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links.ts';

const MOST_EVENTS = 10;

/** The latest openings and denials of the member. */
export const MemberActivity = ({ memberId }: { readonly memberId: string }) => {
  const { member } = useMessages();
  const { allows } = useOrganization();
  const linkTo = useLinkTo();
  const events = usePagedList<ExpandedEvent>('event', '/events', {
    'subject.member_id': memberId,
    limit: MOST_EVENTS,
    expand: EVENT_EXPAND,
  });
  if (!allows('events.read')) return null;
  return (
    <section class="card" aria-labelledby="member-activity">
      <div class="panel">
        <div class="title-line">
          <h2 id="member-activity">{member.activity}</h2>
          <a href={linkTo(`/activity?member=${memberId}`)}>{member.allActivity}</a>
        </div>
      </div>
      {events.items.length === 0 ? <p class="panel quiet">{member.noActivity}</p> : null}
      <ul class="event-list">
        {events.items.map(event => (
          <li key={event.id}>
            <EventItem event={event} hasDay />
          </li>
        ))}
      </ul>
    </section>
  );
};
