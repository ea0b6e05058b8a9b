import { eventVerbs } from '@lintel/wire-protocol/rest/event-verbs-and-object-types';
import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { useEffect, useState } from 'preact/hooks';
import { capitalize } from '../../../components/texts/capitalize.ts';
import { Button } from '../../../design/controls.tsx';
import { listIcon, pauseIcon, playIcon } from '../../../design/icons.ts';
import { EventStream } from '../../api/event-stream.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { CodeSample } from '../../components/code-sample.tsx';
import { useMessages } from '../../messages/language.ts';
import { useUrlQueryParameters } from '../../router/links-and-query-parameters.ts';
import { useSiteTimeFormats } from '../../time/use-site-time-formats.ts';
import { DevelopersNavigation } from '../developers-navigation.tsx';
import { webhookFilterObjectTypes } from '../webhooks/filter-rule-choices.ts';

const MOST_SHOWN = 200;

/** The events that arrive while the screen is open and not paused, newest first. */
const useStream = (filter: Readonly<Record<string, string>>, isPaused: boolean) => {
  const { client } = useCurrentOrganization();
  const [events, setEvents] = useState<readonly EventResponse[]>([]);
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    if (isPaused) return;
    const stream = new EventStream({
      path: `/admin/v1${client.pathOf('/events/stream')}`,
      query: filter,
      onConnected: setConnected,
      onEvent: event => setEvents(shown => [event, ...shown].slice(0, MOST_SHOWN)),
    });
    return () => {
      stream.close();
      setConnected(false);
    };
  }, [isPaused, JSON.stringify(filter)]);
  return { events, isConnected, clear: () => setEvents([]) };
};

const EventJson = ({ event }: { readonly event: EventResponse }) => {
  const { webhooks } = useMessages();
  const time = useSiteTimeFormats();
  const type = webhooks.types[event.object.type] ?? event.object.type;
  return (
    <li>
      <details>
        <summary>
          <strong>{type}</strong>: {webhooks.verbs[event.verb] ?? event.verb}{' '}
          <small class="quiet">
            {time.formatTime(event.occurred_at)} · {event.id}
          </small>
        </summary>
        <CodeSample label={event.id} text={JSON.stringify(event, null, 2)} />
      </details>
    </li>
  );
};

/** The events of the organization as JSON, live, with the filters of the API. */
export const EventStreamScreen = () => {
  const { developers, webhooks } = useMessages();
  const [query, setQuery] = useUrlQueryParameters();
  const [isPaused, setPaused] = useState(false);
  const type = query['type'] ?? '';
  const verb = query['verb'] ?? '';
  const { events, isConnected, clear } = useStream(
    { ...(type === '' ? {} : { 'object.type': type }), ...(verb === '' ? {} : { verb }) },
    isPaused,
  );
  const level = isPaused ? 'neutral' : isConnected ? 'ok' : 'warning';
  const status = isPaused ? developers.paused : isConnected ? developers.live : developers.connecting;
  return (
    <>
      <PageHeader title={developers.title} subtitle={developers.streamText}>
        <StatusBadge level={level} text={status} />
        <Button icon={isPaused ? playIcon : pauseIcon} onPress={() => setPaused(!isPaused)}>
          {isPaused ? developers.resume : developers.pause}
        </Button>
        <Button isDisabled={events.length === 0} onPress={clear}>
          {developers.clear}
        </Button>
      </PageHeader>
      <DevelopersNavigation />
      <div class="activity-filters">
        <select
          aria-label={webhooks.type}
          value={type}
          onChange={event => setQuery({ type: event.currentTarget.value })}
        >
          <option value="">{webhooks.anyType}</option>
          {webhookFilterObjectTypes.map(value => (
            <option key={value} value={value}>
              {webhooks.types[value]}
            </option>
          ))}
        </select>
        <select
          aria-label={webhooks.verb}
          value={verb}
          onChange={event => setQuery({ verb: event.currentTarget.value })}
        >
          <option value="">{capitalize(webhooks.anyVerb)}</option>
          {eventVerbs.map(value => (
            <option key={value} value={value}>
              {webhooks.verbs[value]}
            </option>
          ))}
        </select>
      </div>
      {events.length === 0 ? (
        <EmptyState icon={listIcon} title={developers.noEvents} text={developers.noEventsText} />
      ) : (
        <ul class="event-stream card panel" aria-label={developers.stream}>
          {events.map(event => (
            <EventJson key={event.id} event={event} />
          ))}
        </ul>
      )}
    </>
  );
};
