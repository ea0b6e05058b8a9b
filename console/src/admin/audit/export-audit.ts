import { formatCsv } from '../csv/format-and-save-csv.ts';
import { describeEvent, nameActor } from '../events/describe-event.ts';
import type { AdminMessages } from '../messages/en.ts';
import type { AuditEntry } from './use-change-lines.ts';

interface ExportContext {
  readonly messages: AdminMessages;
  readonly zone: string;
  readonly formatLocal: (iso: string) => string;
  readonly linesOf: (entry: AuditEntry) => readonly string[];
}

/** With the local time of the site, its time zone and UTC, so that nobody has to guess. */
export const formatAuditAsCsv = (
  entries: readonly AuditEntry[],
  { messages, zone, formatLocal, linesOf }: ExportContext,
): string => {
  const { columns } = messages.audit;
  const rows = entries.map(entry => [
    formatLocal(entry.occurred_at),
    zone,
    entry.occurred_at,
    nameActor(entry, messages),
    describeEvent(entry, messages),
    linesOf(entry).join('\n'),
    entry.verb,
    entry.object.type,
    entry.subject.ip_address ?? '',
    entry.id,
  ]);
  return formatCsv([Object.values(columns), ...rows]);
};
