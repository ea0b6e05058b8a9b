import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';
import type { LostSequenceRange } from './event-store-interface.ts';
import { createSampleEvents } from '@lintel/test/support/devices/sample-events';
import { LAST_COMMIT_SUFFIX, readLastCommit } from './last-commit-file.ts';
import { SqliteEventStore } from './sqlite-event-store.ts';
import { WAL_FRAME_BYTES } from './wal-commits-after-damage.ts';

const WRITTEN = 120;
const CONFIRMED = 20;
const CEILING = 160;
const SUFFIXES = ['', '-wal', LAST_COMMIT_SUFFIX];
const WAL_HEADER_BYTES = 32;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-last-commit-'));
  file = join(folder, 'events.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const openAt = (path: string, { ceiling = CEILING, bootId = 'boot-1' } = {}) =>
  new SqliteEventStore({ file: path, bootId, savedSequence: () => ({ ceiling, confirmed: 0 }) });

const copyFiles = (from: string, to: string): void => {
  for (const suffix of SUFFIXES) if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
};

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

const report = (store: SqliteEventStore): LostSequenceRange[] => {
  const lost: LostSequenceRange[] = [];
  for (let step = store.salvage(); step !== null; step = store.salvage()) lost.push(...step.lost);
  return lost;
};

const waiting = (store: SqliteEventStore): number[] => store.read(0, 100_000, 100_000).map(({ sequence }) => sequence);

const outcomeOf = (options = {}) => {
  const store = openAt(file, options);
  const lost = report(store);
  const kept = waiting(store);
  store.close();
  return { kept, lost };
};

/** Lengths of the log: in each frame or a sample of them, at the boundary and inside. */
const cuts = (bytes: number): number[] => {
  const frames = Math.floor((bytes - WAL_HEADER_BYTES) / WAL_FRAME_BYTES);
  const step = Math.max(1, Math.floor(frames / iterations({ sample: 10, all: 130 })));
  const sample = [1, 2, 3, ...numbers(0, Math.floor((frames - 1) / step)).map(at => at * step)];
  const boundaries = sample.map(at => WAL_HEADER_BYTES + at * WAL_FRAME_BYTES);
  return [0, 17, ...boundaries.flatMap(at => [at, at + 1 + ((at * 31) % (WAL_FRAME_BYTES - 1))])];
};

/** As a killed controller leaves them. `write` runs before. */
const createFiles = (write: (store: SqliteEventStore) => void): string => {
  const path = mkdtempSync(join(tmpdir(), 'lintel-last-commit-'));
  const store = openAt(join(path, 'running.db'), { ceiling: 0 });
  write(store);
  copyFiles(join(path, 'running.db'), join(path, 'events.db'));
  store.close();
  return join(path, 'events.db');
};

const appendOneByOne = (store: SqliteEventStore, first: number, last: number): void => {
  for (const sequence of numbers(first, last)) store.append(createSampleEvents(sequence, 1));
};

/** Deletes confirmed events, and writes a long log to the database file. */
const tidyUp = (store: SqliteEventStore): void => {
  while (store.tidy({ now: instant(Date.parse('2030-01-01')), isDiskAlmostFull: false }));
};

describe('Event store with a log whose end is missing', () => {
  let killed: string;
  beforeAll(() => {
    killed = createFiles(store => {
      appendOneByOne(store, 1, WRITTEN - 1);
      store.acknowledge(numbers(1, CONFIRMED));
      appendOneByOne(store, WRITTEN, WRITTEN);
    });
  });
  afterAll(() => rmSync(join(killed, '..'), { recursive: true }));
  beforeEach(() => copyFiles(killed, file));

  it('reports nothing when the log is complete', () => {
    expect(outcomeOf()).toEqual({ kept: numbers(CONFIRMED + 1, WRITTEN), lost: [] });
  });

  it('reports exactly the missing events that the bridge has not confirmed', () => {
    for (const length of cuts(statSync(`${killed}-wal`).size)) {
      copyFiles(killed, file);
      truncateSync(`${file}-wal`, length);
      const { kept, lost } = outcomeOf();
      const missing = lost.flatMap(({ first, last }) => numbers(first, last));
      // Without the first commits the whole file is lost.
      const isFileLost = lost[0]?.isAtMost === true;
      const [first, last] = isFileLost ? [1, CEILING] : [CONFIRMED + 1, WRITTEN];
      expect([length, ...kept, ...missing]).toEqual([length, ...numbers(first, last)]);
      expect(lost).toHaveLength(1);
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    }
  });

  it('reports at most the reserved numbers after a restart of the machine', () => {
    truncateSync(`${file}-wal`, statSync(`${file}-wal`).size - WAL_FRAME_BYTES);
    const { kept, lost } = outcomeOf({ bootId: 'boot-2' });
    expect(lost).toEqual([{ first: kept.at(-1)! + 1, last: CEILING, from: null, to: null, isAtMost: true }]);
  });

  it('reports a loss that was found before a crash', () => {
    truncateSync(`${file}-wal`, statSync(`${file}-wal`).size - WAL_FRAME_BYTES);
    openAt(file).close();
    const { lost } = outcomeOf();
    expect(lost).toEqual([{ first: WRITTEN, last: WRITTEN, from: null, to: null }]);
    expect(outcomeOf().lost).toEqual([]);
  });

  it('continues above the numbers of the missing events, also without the saved sequence', () => {
    truncateSync(`${file}-wal`, statSync(`${file}-wal`).size - WAL_FRAME_BYTES);
    const store = openAt(file, { ceiling: 0 });
    expect(store.lastSequence()).toBe(WRITTEN);
    store.close();
  });

  it.each([
    ['is missing', (path: string) => rmSync(path)],
    ['is empty', (path: string) => truncateSync(path, 0)],
    ['is torn', (path: string) => truncateSync(path, 40)],
    [
      'has a flipped bit',
      (path: string) =>
        writeFileSync(
          path,
          readFileSync(path).map((byte, at) => (at === 30 ? byte ^ 4 : byte)),
        ),
    ],
    [
      'is a folder',
      (path: string) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
  ])('invents no loss and continues when the record %s', (_, damage) => {
    damage(file + LAST_COMMIT_SUFFIX);
    expect(readLastCommit(file)).toBeNull();
    const store = openAt(file);
    expect(report(store)).toEqual([]);
    appendOneByOne(store, CEILING + 1, CEILING + 2);
    expect(readLastCommit(file)).toMatchObject({ last: CEILING + 2, confirmed_up_to: CONFIRMED });
    expect(statSync(file + LAST_COMMIT_SUFFIX).mode & 0o777).toBe(0o600);
    store.close();
  });

  it('reports a lost file once and does not use its record for the new one', () => {
    for (const suffix of ['', '-wal']) rmSync(file + suffix);
    const { lost } = outcomeOf();
    expect(lost).toEqual([{ first: 1, last: CEILING, from: null, to: null, isAtMost: true }]);
    expect(readLastCommit(file)).toMatchObject({ last: CEILING });
    expect(outcomeOf().lost).toEqual([]);
  });
});

describe('Event store whose log was written to the database file', () => {
  /** Enough for that. */
  const COMMITS = 505;

  it('reports nothing after any commit', () => {
    const copy = join(folder, 'copy.db');
    const store = openAt(file, { ceiling: 0 });
    for (const sequence of numbers(1, COMMITS + 100)) {
      appendOneByOne(store, sequence, sequence);
      if (sequence % 40 === 0) store.acknowledge(numbers(sequence - 39, sequence - 20));
      tidyUp(store);
      if (sequence % 25 > 0 && Math.abs(sequence - 490) > 15) continue;
      copyFiles(file, copy);
      const again = openAt(copy, { ceiling: 0 });
      expect([report(again), again.waitingCount()]).toEqual([[], store.waitingCount()]);
      again.close();
    }
    store.close();
  });

  it('loses nothing without a report when an older log remains', () => {
    const [first, last] = [2 * COMMITS + 1, 4 * COMMITS];
    const killed = createFiles(store => {
      // Leaves free pages in the database file, so that its size does not show that the log is older.
      store.append(createSampleEvents(1, first - 1));
      store.acknowledge(numbers(1, first - 1));
      tidyUp(store);
      appendOneByOne(store, first, first + COMMITS - 1);
      tidyUp(store);
      appendOneByOne(store, first + COMMITS, last);
      tidyUp(store);
    });
    for (const length of cuts(statSync(`${killed}-wal`).size)) {
      copyFiles(killed, file);
      truncateSync(`${file}-wal`, length);
      const { kept, lost } = outcomeOf({ ceiling: last });
      const accountedFor = new Set([...kept, ...lost.flatMap(range => numbers(range.first, range.last))]);
      expect([length, numbers(first, last).filter(one => !accountedFor.has(one))]).toEqual([length, []]);
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    }
    rmSync(join(killed, '..'), { recursive: true });
  });
});
