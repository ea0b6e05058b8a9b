import type { OrganizationClient } from '../api/organization-client.ts';
import type { QueryParameters } from '../api/send-request.ts';
import { formatCsv } from '../csv/format-and-save-csv.ts';
import type { ExpandedEvent } from '../events/describe-event.ts';
import { describeEvent } from '../events/describe-event.ts';
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

export const formatEventsAsCsv = (events: readonly ExpandedEvent[], messages: AdminMessages): string => {
  const { columns } = messages.activity;
  const rows = events.map(event => [
    event.occurred_at,
    describeEvent(event, messages),
    event.verb,
    event.object.type,
    event.object_gadget?.name ?? '',
    event.subject_member?.name ?? '',
    event.subject.access_method ?? '',
    event.reason ?? '',
    event.id,
  ]);
  return formatCsv([Object.values(columns), ...rows]);
};
