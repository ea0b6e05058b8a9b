import type { OrganizationClient } from '../api/organization-client.ts';
import type { QueryParameters } from '../api/request.ts';
import type { ExpandedEvent } from '../events/describe-event.ts';
import { describeEvent } from '../events/describe-event.ts';
import type { Messages } from '../messages/en.ts';

const MOST_EVENTS = 10_000;

/** The matching events, newest first, up to a limit that a browser handles well. */
export const loadEventsForExport = async (
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

/** A spreadsheet would run a cell that begins like a formula. */
const toCell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

export const toCsv = (events: readonly ExpandedEvent[], messages: Messages): string => {
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
  return [Object.values(columns), ...rows].map(row => row.map(toCell).join(',')).join('\r\n');
};

/** Saves a file with this content on the computer of the user. */
export const downloadFile = (name: string, type: string, content: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};
