import { crc32 } from 'node:zlib';
import { type StoredEventRow, isEventRowIntact } from './event-row.ts';
import type { SqliteConnection } from '@lintel/service/sqlite/open-sqlite';
import { DamagedDataError } from '@lintel/service/sqlite/storage-error';

/**
 * Counts that avoid counting millions of rows at every start. An append changes no count: the number of appended rows
 * follows from the last sequence number and the skipped numbers.
 */
export interface EventCounts {
  /** The highest sequence number ever, even if its row was deleted. */
  last: number;
  /** Sequence numbers up to `last` without a row. */
  skipped: number;
  /** Confirmed or dropped rows. */
  settled: number;
  /** Confirmed rows that are still kept. */
  kept: number;
  /** All up to this number are confirmed; some of their rows may still exist. */
  confirmed_up_to: number;
}

const MARK = 'event counts';

const checksumMarkOf = ({ last, skipped, settled, kept, confirmed_up_to }: EventCounts): string =>
  `${MARK} ${crc32([last, skipped, settled, kept, confirmed_up_to].join())}`;

/** Older files have the mark without a checksum. */
const isValidMark = (mark: unknown, counts: EventCounts): boolean => mark === MARK || mark === checksumMarkOf(counts);

export const EVENT_COUNTS_TABLE_SQL = `
  CREATE TABLE counts (
    one INTEGER PRIMARY KEY, mark TEXT NOT NULL, last INTEGER NOT NULL, skipped INTEGER NOT NULL,
    settled INTEGER NOT NULL, kept INTEGER NOT NULL, confirmed_up_to INTEGER NOT NULL
  ) STRICT;`;

const areConsistent = ({ last, skipped, settled, kept, confirmed_up_to }: EventCounts): boolean =>
  [last, skipped, settled, kept, confirmed_up_to].every(Number.isSafeInteger) &&
  skipped + settled <= last &&
  kept <= settled &&
  confirmed_up_to <= last;

/** Null in a new file. Throws DamagedDataError when the row is damaged. */
export const readEventCountsRow = (database: SqliteConnection): EventCounts | null => {
  const row = database
    .prepare<[], EventCounts & { readonly mark: string }>(
      'SELECT mark, last, skipped, settled, kept, confirmed_up_to FROM counts WHERE one = 1',
    )
    .get();
  if (row === undefined) return null;
  const { mark, ...counts } = row;
  if (!isValidMark(mark, counts)) throw new DamagedDataError('the event counts are damaged');
  return counts;
};

/** `isNew`: the file is empty. */
export const readEventCounts = (
  database: SqliteConnection,
): { readonly counts: EventCounts; readonly isNew: boolean } => {
  const row = readEventCountsRow(database);
  const newest = database
    .prepare<[], StoredEventRow>('SELECT sequence, crc, body FROM events ORDER BY sequence DESC LIMIT 1')
    .get();
  // New numbers follow the newest row, so it must be intact.
  if (newest !== undefined && !isEventRowIntact(newest)) throw new DamagedDataError('the newest event is damaged');
  const { last, ...others } = row ?? { last: 0, skipped: 0, settled: 0, kept: 0, confirmed_up_to: 0 };
  const counts = { ...others, last: Math.max(last, newest?.sequence ?? 0) };
  if (!areConsistent(counts)) throw new DamagedDataError('the event counts are inconsistent');
  return { counts, isNew: row === null };
};

export const prepareEventCountsWriter = (database: SqliteConnection): ((counts: EventCounts) => void) => {
  const write = database.prepare<[EventCounts & { readonly mark: string }]>(
    `INSERT OR REPLACE INTO counts (one, mark, last, skipped, settled, kept, confirmed_up_to)
     VALUES (1, :mark, :last, :skipped, :settled, :kept, :confirmed_up_to)`,
  );
  return counts => {
    write.run({ ...counts, mark: checksumMarkOf(counts) });
  };
};
