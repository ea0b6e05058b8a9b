import type { LiveLogEntry } from '../api/prepend-to-live-log.ts';
import type { LiveMessageDescription } from './describe-live-message.ts';

/** A decision or another event that people look for, or the raw inputs and outputs between two of them. */
export type LiveLogItem =
  | { readonly kind: 'event'; readonly entry: LiveLogEntry }
  /** `number`: of the oldest entry, which stays while newer ones are added. */
  | { readonly kind: 'folded'; readonly number: number; readonly entries: readonly LiveLogEntry[] };

type Describe = (entry: LiveLogEntry) => Pick<LiveMessageDescription, 'group' | 'level'>;

const isRaw = (entry: LiveLogEntry, describe: Describe): boolean => {
  const { group, level } = describe(entry);
  if (group === 'decisions' || level !== 'neutral') return false;
  return group === 'io' || entry.event.type !== 'event';
};

/** Newest first. Keys, lights, relays and contacts are folded below the event that follows them. */
export const foldLiveLog = (log: readonly LiveLogEntry[], describe: Describe): readonly LiveLogItem[] => {
  const items: LiveLogItem[] = [];
  for (const entry of log) {
    const last = items.at(-1);
    if (!isRaw(entry, describe)) items.push({ kind: 'event', entry });
    else if (last?.kind === 'folded')
      items[items.length - 1] = { kind: 'folded', number: entry.number, entries: [...last.entries, entry] };
    else items.push({ kind: 'folded', number: entry.number, entries: [entry] });
  }
  return items;
};
