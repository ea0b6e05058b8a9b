import { crc32 } from 'node:zlib';
import { type EventRow, isIntact } from './event-row.ts';
import type { Sqlite } from '@lintel/service/sqlite/open-sqlite';
import { DamagedDataError } from '@lintel/service/sqlite/storage-error';

/**
 * What is known of the events without counting them: five million are not counted at every start. An append touches no
 * count: what was appended follows from the last sequence number and from the numbers that were passed over.
 */
export interface Counts {
  /** The highest sequence number ever, also when its row is gone. */
  last: number;
  /** Sequence numbers up to `last` that no row was appended for. */
  skipped: number;
  /** Rows that wait for nothing any more: confirmed or dropped. */
  settled: number;
  /** Confirmed rows that are still kept. */
  kept: number;
  /** All up to here are confirmed, though the rows of some may still be there. */
  confirmed_up_to: number;
}

const MARK = 'event counts';

const markOf = ({ last, skipped, settled, kept, confirmed_up_to }: Counts): string =>
  `${MARK} ${crc32([last, skipped, settled, kept, confirmed_up_to].join())}`;

/** A file of before the check sum has the bare word. */
const isRightMark = (mark: unknown, counts: Counts): boolean => mark === MARK || mark === markOf(counts);

export const countsLayout = `
  CREATE TABLE counts (
    one INTEGER PRIMARY KEY, mark TEXT NOT NULL, last INTEGER NOT NULL, skipped INTEGER NOT NULL,
    settled INTEGER NOT NULL, kept INTEGER NOT NULL, confirmed_up_to INTEGER NOT NULL
  ) STRICT;`;

const areSound = ({ last, skipped, settled, kept, confirmed_up_to }: Counts): boolean =>
  [last, skipped, settled, kept, confirmed_up_to].every(Number.isSafeInteger) &&
  skipped + settled <= last &&
  kept <= settled &&
  confirmed_up_to <= last;

/** Null in a file that nothing has been written to yet. Throws DamagedDataError when the row is not what was written. */
export const readCountsRow = (database: Sqlite): Counts | null => {
  const row = database
    .prepare<[], Counts & { readonly mark: string }>(
      'SELECT mark, last, skipped, settled, kept, confirmed_up_to FROM counts WHERE one = 1',
    )
    .get();
  if (row === undefined) return null;
  const { mark, ...counts } = row;
  if (!isRightMark(mark, counts)) throw new DamagedDataError('the counts of the events are not what was written');
  return counts;
};

/** `isNew`: nothing has been written to this file yet. */
export const readCounts = (database: Sqlite): { readonly counts: Counts; readonly isNew: boolean } => {
  const row = readCountsRow(database);
  const newest = database
    .prepare<[], EventRow>('SELECT sequence, crc, body FROM events ORDER BY sequence DESC LIMIT 1')
    .get();
  // New numbers follow the newest row: one that is not what was written would lead them astray.
  if (newest !== undefined && !isIntact(newest)) throw new DamagedDataError('the newest event is not what was written');
  const { last, ...others } = row ?? { last: 0, skipped: 0, settled: 0, kept: 0, confirmed_up_to: 0 };
  const counts = { ...others, last: Math.max(last, newest?.sequence ?? 0) };
  if (!areSound(counts)) throw new DamagedDataError('the counts of the events cannot be right');
  return { counts, isNew: row === null };
};

export const countsWriter = (database: Sqlite): ((counts: Counts) => void) => {
  const write = database.prepare<[Counts & { readonly mark: string }]>(
    `INSERT OR REPLACE INTO counts (one, mark, last, skipped, settled, kept, confirmed_up_to)
     VALUES (1, :mark, :last, :skipped, :settled, :kept, :confirmed_up_to)`,
  );
  return counts => {
    write.run({ ...counts, mark: markOf(counts) });
  };
};
