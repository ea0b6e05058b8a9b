import { createId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';

/** Start of the calendar month, in UTC, `offset` months after the month of `at`. */
export const computeStartOfUtcMonth = (at: number, offset = 0): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset);
};

/** Ids begin with their creation time: this is the lowest id of an event at that time. */
export const computeLowestEventId = (at: number): string => createId('event', instant(at), new Uint8Array(10));

/** Name of the table with the events of the month that begins at `start`. */
export const buildEventTableName = (start: number): string =>
  `events_${new Date(start).toISOString().slice(0, 7).replace('-', '_')}`;
