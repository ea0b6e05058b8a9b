import type { OrganizationClient } from '../api/organization-client.ts';
import type { QueryParameters } from '../api/send-request.ts';
import { formatCsv } from '../csv/format-and-save-csv.ts';
import type { ExpandedEvent } from '../events/describe-event.ts';
import { describeEvent, nameActor } from '../events/describe-event.ts';
import type { AdminMessages } from '../messages/en.ts';

const MOST_EVENTS = 10_000;

/** The matching events, newest first, up to a limit that a browser handles well. */
export const fetchEventsForExport = async (
  client: OrganizationClient,
  query: QueryParameters,
): Promise<{ readonly events: readonly ExpandedEvent[]; readonly isLimited: boolean }> => {
  const events: ExpandedEvent[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.list<ExpandedEvent>('/events', { ...query, cursor });
    events.push(...page.data);
    cursor = page.cursor_next;
  } while (cursor !== undefined && events.length < MOST_EVENTS);
  return { events, isLimited: cursor !== undefined };
};

export interface SiteTimes {
  readonly zone: string;
  readonly formatDateTime: (iso: string) => string;
}

/** With the local time of the site, its time zone and UTC, so that nobody has to guess. */
export const formatEventsAsCsv = (
  events: readonly ExpandedEvent[],
  messages: AdminMessages,
  timesOf: (siteId: string | undefined) => SiteTimes,
): string => {
  const { columns } = messages.activity;
  const rows = events.map(event => [
    timesOf(event.object.site_id ?? undefined).formatDateTime(event.occurred_at),
    timesOf(event.object.site_id ?? undefined).zone,
    event.occurred_at,
    event.object_site?.name ?? '',
    describeEvent(event, messages),
    event.verb,
    event.object.type,
    event.object_gadget?.name ?? '',
    nameActor(event, messages),
    event.subject.access_method ?? '',
    event.reason ?? '',
    event.id,
  ]);
  return formatCsv([Object.values(columns), ...rows]);
};
