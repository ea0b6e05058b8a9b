import { dateTimeSchema } from '@lintel/wire-protocol/schema-parts/date-time';
import { formatTerminalEvent } from '../terminal/format-event.ts';
import type { ParsedSupportBundle } from './read-support-bundle.ts';

export interface SupportBundleTimelineEntry {
  readonly at: string;
  readonly words: string;
}

const formatDuration = (ms: number): string => {
  const seconds = Math.abs(ms) / 1000;
  return seconds < 120
    ? `${seconds} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`;
};

/** Parses a log line, which begins with its time. Other lines are ignored. */
const parseLogLine = (line: string): readonly SupportBundleTimelineEntry[] => {
  const [first = '', ...rest] = line.split(' ');
  const at = dateTimeSchema.safeParse(first);
  return at.success ? [{ at: at.data, words: `log: ${rest.join(' ')}` }] : [];
};

export const createSupportBundleGadgetNameLookup =
  ({ bundle }: Pick<ParsedSupportBundle, 'bundle'>) =>
  (gadgetId: string): string =>
    bundle.status.gadgets.find(({ gadget_id }) => gadget_id === gadgetId)?.name ?? gadgetId;

/** Events, clock changes, faults and log lines of the bundle, by time. */
export const buildSupportBundleTimeline = (read: ParsedSupportBundle): readonly SupportBundleTimelineEntry[] => {
  const { bundle, events } = read;
  const { upstream, faults } = bundle.status;
  const entries: SupportBundleTimelineEntry[] = [
    ...events.map(event => ({
      at: event.occurred_at,
      words: `${formatTerminalEvent(event, createSupportBundleGadgetNameLookup(read))}${event.time_trusted ? '' : ' (clock not trusted)'}`,
    })),
    ...bundle.clock_history.map(({ time, source, trusted, stepped_ms }) => ({
      at: time,
      words: `clock set by ${source}, ${formatDuration(stepped_ms)} ${stepped_ms < 0 ? 'back' : 'ahead'}${trusted ? '' : ', not trusted'}`,
    })),
    ...faults.map(({ code, message, since }) => ({ at: since, words: `fault begins: ${message} (${code})` })),
    ...(upstream.since === null
      ? []
      : [
          {
            at: upstream.since,
            words: upstream.connected ? `connected via ${upstream.via}` : 'disconnected',
          },
        ]),
    ...bundle.log.flatMap(parseLogLine),
    { at: bundle.made_at, words: 'bundle created' },
  ];
  // A stable sort keeps events of the same time in the order of their sequence numbers.
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
};
