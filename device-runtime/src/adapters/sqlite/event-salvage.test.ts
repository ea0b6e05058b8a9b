import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LostRange } from '../../ports/event-store.ts';
import { openFiles } from '../../testing/open-files.ts';
import { eventsFrom } from '../../testing/sample-events.ts';
import { EventBuffer } from './event-buffer.ts';

const PAGE = 4096;
const WRITTEN = 2_000;
const CEILING = 3_000;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-salvage-'));
  file = join(folder, 'events.db');
  const buffer = open();
  buffer.append(eventsFrom(1, WRITTEN));
  buffer.acknowledge(100, []);
  buffer.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => new EventBuffer({ file, history: 0, remembered: () => ({ ceiling: CEILING, confirmed: 0 }) });

const overwrite = (position: number, bytes: Uint8Array): void => {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
};

const salvageAll = (buffer: EventBuffer): { readonly salvaged: number; readonly lost: readonly LostRange[] } => {
  let salvaged = 0;
  const lost: LostRange[] = [];
  for (let report = buffer.salvage(); report !== null; report = buffer.salvage()) {
    salvaged += report.salvaged;
    lost.push(...report.lost);
  }
  return { salvaged, lost };
};

const count = (lost: readonly LostRange[]): number => lost.reduce((sum, { first, last }) => sum + last - first + 1, 0);

/** Reads until the damage shows, as catching up would. */
const readThrough = (buffer: EventBuffer): void => {
  try {
    buffer.read(0, Number.MAX_SAFE_INTEGER, 100_000);
  } catch {
    buffer.recover();
  }
};

describe.each([
  ['the header', CEILING, () => overwrite(0, new Uint8Array(100).fill(0xff))],
  ['the first page', CEILING, () => overwrite(0, new Uint8Array(PAGE).fill(0xee))],
  ['the root of the table', CEILING, () => overwrite(PAGE, new Uint8Array(PAGE).fill(0))],
  ['the end, cut off', CEILING, () => truncateSync(file, Math.floor(statSync(file).size / PAGE / 2) * PAGE)],
  ['a stretch in the middle', WRITTEN, () => overwrite(40 * PAGE, new Uint8Array(6 * PAGE).fill(0xaa))],
])('a file damaged in %s', (_, lastPossible, damage) => {
  it('is replaced at once, and what can be read comes back row by row', () => {
    damage();
    const buffer = open();
    readThrough(buffer);
    buffer.append(eventsFrom(buffer.lastSequence() + 1, 1));
    expect(buffer.lastSequence()).toBe(CEILING + 1);
    const { salvaged, lost } = salvageAll(buffer);
    const events = buffer.read(0, Number.MAX_SAFE_INTEGER, 100_000);
    expect(salvaged).toBeGreaterThan(700);
    expect(events).toHaveLength(salvaged + 1);
    const truth = new Map(eventsFrom(1, WRITTEN).map(event => [event.sequence, event]));
    for (const event of events.slice(0, -1)) expect(event).toEqual(truth.get(event.sequence));
    expect(salvaged + count(lost)).toBe(lastPossible - 100);
    expect(buffer.waiting()).toBe(salvaged + 1);
    expect(readdirSync(folder).filter(name => name.includes('damaged'))).toEqual([]);
    buffer.close();
  });
});

it('a file that is no database at all is set aside, and the loss is told', () => {
  writeFileSync(file, 'this is no database, and never was one: '.repeat(1_000));
  const buffer = open();
  buffer.append(eventsFrom(CEILING + 1, 1));
  const { salvaged, lost } = salvageAll(buffer);
  expect(salvaged).toBe(0);
  expect(lost).toEqual([{ first: 1, last: CEILING, from: null, to: null, isAtMost: true }]);
  buffer.close();
});

it('a file that turns out to be damaged when it is open already is closed before it is set aside', () => {
  const database = new SqliteDatabase(file);
  database.exec('DROP TABLE counts');
  database.close();
  const buffer = open();
  expect(readdirSync(folder).some(name => name.includes('.damaged-'))).toBe(true);
  expect(openFiles().filter(path => path.includes('.damaged-'))).toEqual([]);
  buffer.close();
});

it('a file that is simply gone is told as a loss', () => {
  rmSync(file);
  const buffer = open();
  expect(buffer.lastSequence()).toBe(CEILING);
  expect(salvageAll(buffer).lost).toEqual([{ first: 1, last: CEILING, from: null, to: null, isAtMost: true }]);
  buffer.close();
});

it('a single byte that turned is one event lost, and the others are sent', () => {
  const bytes = readFileSync(file);
  const at = bytes.indexOf('gad_01jx', 20 * PAGE);
  overwrite(at, Buffer.from('gaX'));
  const buffer = open();
  expect(buffer.read(0, 10_000, 10_000)).toHaveLength(WRITTEN - 101);
  const { lost } = salvageAll(buffer);
  expect(count(lost)).toBe(1);
  expect(buffer.waiting()).toBe(WRITTEN - 101);
  buffer.close();
});

it('what was only in the write-ahead log is salvaged too', () => {
  const buffer = open();
  buffer.append(eventsFrom(WRITTEN + 1, 50));
  const copy = join(folder, 'copy');
  copyFileSync(file, copy);
  copyFileSync(`${file}-wal`, `${copy}-wal`);
  buffer.close();
  copyFileSync(copy, file);
  copyFileSync(`${copy}-wal`, `${file}-wal`);
  overwrite(0, new Uint8Array(PAGE).fill(0xff));
  const again = open();
  salvageAll(again);
  const found = new Set(again.read(0, 10_000, 10_000).map(({ sequence }) => sequence));
  for (let sequence = WRITTEN + 1; sequence <= WRITTEN + 50; sequence++) expect(found.has(sequence)).toBe(true);
  again.close();
});

it('a salvage that is interrupted by a restart goes on', () => {
  overwrite(0, new Uint8Array(100).fill(0xff));
  const first = open();
  first.salvage();
  first.close();
  const second = open();
  salvageAll(second);
  expect(second.waiting()).toBe(WRITTEN - 100);
  second.close();
});

describe('a page of events with turned bytes', () => {
  const truth = new Map(eventsFrom(1, WRITTEN).map(event => [event.sequence, event]));

  it.each([100, 500, 1_000, 2_000, 3_000, 3_700])('at %i is told once, and no event is lost untold', at => {
    const bytes = readFileSync(file);
    const page = Math.floor(bytes.length / PAGE / 2);
    overwrite(
      page * PAGE + at,
      bytes.subarray(page * PAGE + at, page * PAGE + at + 300).map(byte => byte ^ 0x5a),
    );
    const buffer = open();
    const lost: LostRange[] = [];
    for (let look = 0; look < 5; look++) {
      readThrough(buffer);
      lost.push(...salvageAll(buffer).lost);
    }
    const kept = buffer.read(0, Number.MAX_SAFE_INTEGER, 100_000);
    for (const event of kept) expect(event).toEqual(truth.get(event.sequence));
    const told = new Set<number>();
    for (const { first, last } of lost)
      for (let one = first; one <= last; one++) {
        expect(told.has(one)).toBe(false);
        told.add(one);
      }
    const here = new Set(kept.map(({ sequence }) => sequence));
    for (let sequence = 101; sequence <= WRITTEN; sequence++)
      expect(here.has(sequence) !== told.has(sequence)).toBe(true);
    expect(told.size).toBeLessThan(60);
    expect(buffer.waiting()).toBe(kept.length);
    buffer.close();
  });
});

it('keeps its file, and the log beside it, from other users', () => {
  const buffer = open();
  buffer.append(eventsFrom(WRITTEN + 1, 1));
  for (const suffix of ['', '-wal']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600);
  buffer.close();
});
