import { type EventRow, isIntact } from './event-row.ts';
import { type Database, FoundDamage } from './open-database.ts';

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

/** By this word the row is known again among the pages of a damaged file. */
export const COUNTS_MARK = 'event counts';

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

/** `isNew`: nobody has written to this file yet. */
export const readCounts = (database: Database): { readonly counts: Counts; readonly isNew: boolean } => {
  const kept = database.prepare<[], Counts>(
    'SELECT last, skipped, settled, kept, confirmed_up_to FROM counts WHERE one = 1',
  );
  const found = kept.get();
  const counts = found ?? { last: 0, skipped: 0, settled: 0, kept: 0, confirmed_up_to: 0 };
  const newest = database
    .prepare<[], EventRow>('SELECT sequence, crc, body FROM events ORDER BY sequence DESC LIMIT 1')
    .get();
  // New numbers follow the newest row: one that is not what was written would lead them astray.
  if (newest !== undefined && !isIntact(newest)) throw new FoundDamage('the newest event is not what was written');
  const last = Math.max(counts.last, newest?.sequence ?? 0);
  if (!areSound({ ...counts, last })) throw new FoundDamage('the counts of the events cannot be right');
  return { counts: { ...counts, last }, isNew: found === undefined };
};

export const countsWriter = (database: Database): ((counts: Counts) => void) => {
  const write = database.prepare<[Counts]>(
    `INSERT OR REPLACE INTO counts VALUES (1, '${COUNTS_MARK}', :last, :skipped, :settled, :kept, :confirmed_up_to)`,
  );
  return counts => {
    write.run(counts);
  };
};
