import type { AuditEntryResponse } from '@lintel/wire-protocol/admin/audit-entry';
import { useGadgets } from '../api/resource-hooks.ts';
import type { ExpandedEvent } from '../events/describe-event.ts';
import { useLanguage } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { describeChanges } from './describe-changes.ts';

export type AuditEntry = ExpandedEvent & Pick<AuditEntryResponse, 'changes' | 'names'>;

/** Describes what entries of the audit log changed. Times are those of the oldest site. */
export const useChangeLines = (): ((entry: AuditEntry) => readonly string[]) => {
  const { messages, locale } = useLanguage();
  const { formatDateTime } = useSiteTimeFormats();
  const { data: doors = [] } = useGadgets();
  return entry => describeChanges(entry, { messages, locale, formatTime: formatDateTime, doors });
};
