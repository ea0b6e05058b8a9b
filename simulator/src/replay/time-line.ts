import { dateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { eventInWords } from '../terminal/happening-words.ts';
import type { ReadBundle } from './bundle.ts';

export interface TimeLineEntry {
  readonly at: string;
  readonly words: string;
}

const span = (ms: number): string => {
  const seconds = Math.abs(ms) / 1000;
  return seconds < 120
    ? `${seconds} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`;
};

/** Lines of the log begin with their time; what does not is no entry of its own. */
const logEntry = (line: string): readonly TimeLineEntry[] => {
  const [first = '', ...rest] = line.split(' ');
  const at = dateTime.safeParse(first);
  return at.success ? [{ at: at.data, words: `log: ${rest.join(' ')}` }] : [];
};

export const nameIn =
  ({ bundle }: Pick<ReadBundle, 'bundle'>) =>
  (gadgetId: string): string =>
    bundle.status.gadgets.find(({ gadget_id }) => gadget_id === gadgetId)?.name ?? gadgetId;

/** All that the bundle tells of, in the order of its clock. */
export const timeLine = (read: ReadBundle): readonly TimeLineEntry[] => {
  const { bundle, events } = read;
  const { upstream, faults } = bundle.status;
  const entries: TimeLineEntry[] = [
    ...events.map(event => ({
      at: event.occurred_at,
      words: `${eventInWords(event, nameIn(read))}${event.time_trusted ? '' : ' (the clock was not trusted)'}`,
    })),
    ...bundle.clock_history.map(({ time, source, trusted, stepped_ms }) => ({
      at: time,
      words: `the clock is set by ${source}, ${span(stepped_ms)} ${stepped_ms < 0 ? 'back' : 'ahead'}${trusted ? '' : ', and not trusted'}`,
    })),
    ...faults.map(({ code, message, since }) => ({ at: since, words: `fault since then: ${message} (${code})` })),
    ...(upstream.since === null
      ? []
      : [
          {
            at: upstream.since,
            words: upstream.connected ? `connected since then, via ${upstream.via}` : 'without a line since then',
          },
        ]),
    ...bundle.log.flatMap(logEntry),
    { at: bundle.made_at, words: 'the bundle was made' },
  ];
  // The order of what happened in the same moment stays as it is: events have it by their number.
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
};
