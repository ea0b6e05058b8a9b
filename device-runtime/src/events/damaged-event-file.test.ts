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
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { listOpenFiles } from '@lintel/test/support/list-open-files';
import { createSampleEvents } from '@lintel/test/support/devices/sample-events';
import { EventStore } from './event-store.ts';
import type { LostSequenceRange } from './lost-ranges.ts';

const PAGE = 4096;
const WRITTEN = 2_000;
const CEILING = 3_000;

const written = createSampleEvents(1, WRITTEN);

let intactFolder: string;
let intactFile: string;
beforeAll(() => {
  intactFolder = mkdtempSync(join(tmpdir(), 'lintel-salvage-'));
  intactFile = join(intactFolder, 'events.db');
  const buffer = new EventStore({ file: intactFile });
  buffer.append(written);
  buffer.acknowledge(written.slice(0, 100).map(({ sequence }) => sequence));
  buffer.close();
});
afterAll(() => rmSync(intactFolder, { recursive: true }));

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-salvage-'));
  file = join(folder, 'events.db');
  copyFileSync(intactFile, file);
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (path = file) =>
  new EventStore({
    file: path,
    retentionMs: 0,
    savedNumbering: () => ({ ceiling: CEILING, confirmed: 0, isExact: false, lastUsed: 0 }),
  });

const overwrite = (position: number, bytes: Uint8Array): void => {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
};

/** Records the losses, as the event log does. */
const salvageAll = (buffer: EventStore) => {
  const lost: LostSequenceRange[] = [];
  for (let report = buffer.salvage(); report !== null; report = buffer.salvage()) {
    lost.push(...report.lost);
    buffer.append(
      report.lost.map((range, index) => ({
        ...createSampleEvents(buffer.lastSequence() + 1 + index, 1)[0]!,
        kind: 'gap' as const,
        lost: range,
      })),
    );
  }
  return lost;
};

const readUses = (buffer: EventStore): readonly DeviceEvent[] =>
  buffer.read(0, Number.MAX_SAFE_INTEGER, 100_000).filter(({ kind }) => kind === 'use');

const salvageUntilLoss = (buffer: EventStore): readonly LostSequenceRange[] => {
  let report = buffer.salvage();
  while (report !== null && report.lost.length === 0) report = buffer.salvage();
  return report?.lost ?? [];
};

const count = (lost: readonly LostSequenceRange[]): number =>
  lost.reduce((sum, { first, last }) => sum + last - first + 1, 0);

const expectAsWritten = (events: readonly DeviceEvent[]): void =>
  expect(events).toEqual(events.map(({ sequence }) => written[sequence - 1]));

/** Reads until the damage is detected, as an upload of the backlog would. */
const readThrough = (buffer: EventStore): void => {
  try {
    buffer.read(0, Number.MAX_SAFE_INTEGER, 100_000);
  } catch {
    buffer.recover();
  }
};

const damagePages = (first: number, count: number): void =>
  overwrite(first * PAGE, new Uint8Array(count * PAGE).fill(0xaa));

describe('EventStore with a damaged file', () => {
  describe.each([
    ['the header', 0, () => overwrite(0, new Uint8Array(100).fill(0xff))],
    ['the first page', 0, () => overwrite(0, new Uint8Array(PAGE).fill(0xee))],
    ['the root of the table', 100, () => overwrite(PAGE, new Uint8Array(PAGE).fill(0))],
  ])('of which %s is damaged', (_, confirmed, damage) => {
    it('replaces the file at once, continues the sequence and reports everything unconfirmed as lost', () => {
      damage();
      const buffer = open();
      readThrough(buffer);
      buffer.append(createSampleEvents(buffer.lastSequence() + 1, 1));
      expect(buffer.lastSequence()).toBe(CEILING + 1);
      expect(salvageAll(buffer)).toEqual([
        { first: confirmed + 1, last: CEILING, from: null, to: null, isAtMost: true },
      ]);
      expect(readUses(buffer)).toHaveLength(1);
      expect(readdirSync(folder).filter(name => name.includes('damaged'))).toEqual([]);
      buffer.close();
    });
  });

  describe.each([
    ['the second half is missing', 700, () => truncateSync(file, Math.floor(statSync(file).size / PAGE / 2) * PAGE)],
    ['several pages in the middle are damaged', 1_700, () => damagePages(40, 6)],
    ['two places are damaged', 1_700, () => [40, 60].forEach(page => damagePages(page, 2))],
  ])('of which %s', (_, least, damage) => {
    it('replaces the file at once and recovers the readable rows one by one', () => {
      damage();
      const buffer = open();
      readThrough(buffer);
      buffer.append(createSampleEvents(buffer.lastSequence() + 1, 1));
      expect(buffer.lastSequence()).toBe(CEILING + 1);
      const lost = salvageAll(buffer);
      const salvaged = readUses(buffer).filter(({ sequence }) => sequence <= CEILING);
      expect(salvaged.length).toBeGreaterThan(least);
      expectAsWritten(salvaged);
      const isLost = (number: number): boolean => lost.some(({ first, last }) => first <= number && number <= last);
      const found = new Set(salvaged.map(({ sequence }) => sequence));
      for (let number = 101; number <= WRITTEN; number++) expect(isLost(number)).toBe(!found.has(number));
      expect(buffer.waitingCount()).toBe(salvaged.length + 1 + lost.length);
      expect(readdirSync(folder).filter(name => name.includes('damaged'))).toEqual([]);
      buffer.close();
    });
  });

  it('archives a file that is not a database, and reports the loss', () => {
    writeFileSync(file, 'this is no database, and never was one: '.repeat(1_000));
    const buffer = open();
    buffer.append(createSampleEvents(CEILING + 1, 1));
    expect(salvageAll(buffer)).toEqual([{ first: 1, last: CEILING, from: null, to: null, isAtMost: true }]);
    buffer.close();
  });

  it('closes a file that proves damaged after opening before it is archived', () => {
    const database = new SqliteDatabase(file);
    database.exec('DROP TABLE upload_state');
    database.close();
    const buffer = open();
    expect(readdirSync(folder).some(name => name.includes('.damaged-'))).toBe(true);
    expect(listOpenFiles().filter(path => path.includes('.damaged-'))).toEqual([]);
    buffer.close();
  });

  it('reports a missing file as a loss, also after a crash before the report', () => {
    rmSync(file);
    open().close();
    const buffer = open();
    expect(buffer.lastSequence()).toBe(CEILING);
    expect(salvageAll(buffer)).toEqual([{ first: 1, last: CEILING, from: null, to: null, isAtMost: true }]);
    buffer.close();
  });

  it('loses one event for a single changed byte, and sends the others', () => {
    const bytes = readFileSync(file);
    const at = bytes.indexOf('gad_01jx', 20 * PAGE);
    overwrite(at, Buffer.from('gaX'));
    const buffer = open();
    expect(buffer.read(0, 10_000, 10_000)).toHaveLength(WRITTEN - 101);
    expect(count(salvageAll(buffer))).toBe(1);
    expect(readUses(buffer)).toHaveLength(WRITTEN - 101);
    buffer.close();
  });

  it('recovers events that were only in the write-ahead log', () => {
    const buffer = open();
    buffer.append(createSampleEvents(WRITTEN + 1, 50));
    const copy = join(folder, 'copy');
    copyFileSync(file, copy);
    copyFileSync(`${file}-wal`, `${copy}-wal`);
    buffer.close();
    copyFileSync(copy, file);
    copyFileSync(`${copy}-wal`, `${file}-wal`);
    damagePages(40, 6);
    const again = open();
    readThrough(again);
    salvageAll(again);
    const found = new Set(again.read(0, 10_000, 10_000).map(({ sequence }) => sequence));
    for (let sequence = WRITTEN + 1; sequence <= WRITTEN + 50; sequence++) expect(found.has(sequence)).toBe(true);
    again.close();
  });

  it('resumes after it was interrupted by a restart', () => {
    damagePages(40, 6);
    const first = open();
    readThrough(first);
    expect(first.salvage()).toMatchObject({ isRecovering: true });
    first.close();
    const second = open();
    const lost = salvageAll(second);
    expect(readUses(second)).toHaveLength(WRITTEN - 100 - count(lost.filter(({ last }) => last <= WRITTEN)));
    expect(count(lost.filter(({ last }) => last <= WRITTEN))).toBeLessThan(200);
    second.close();
  });

  it('sends recovered events although newer ones were confirmed first', () => {
    damagePages(40, 6);
    const buffer = open();
    readThrough(buffer);
    const [newer] = createSampleEvents(buffer.lastSequence() + 1, 1);
    buffer.append([newer!]);
    buffer.acknowledge([newer!.sequence]);
    salvageAll(buffer);
    expect(readUses(buffer).length).toBeGreaterThan(1_700);
    buffer.close();
  });

  it('repeats a report when the controller crashes before it is recorded', () => {
    damagePages(40, 6);
    const first = open();
    readThrough(first);
    const reported = salvageUntilLoss(first);
    expect(reported.length).toBeGreaterThan(0);
    first.close();
    const second = open();
    expect(salvageAll(second)).toEqual(reported);
    second.close();
  });

  describe('of a page with changed bytes', () => {
    it.each([100, 500, 1_000, 2_000, 3_000, 3_700])('at offset %i reports every lost event exactly once', at => {
      const bytes = readFileSync(file);
      const page = Math.floor(bytes.length / PAGE / 2);
      overwrite(
        page * PAGE + at,
        bytes.subarray(page * PAGE + at, page * PAGE + at + 300).map(byte => byte ^ 0x5a),
      );
      const buffer = open();
      const lost: LostSequenceRange[] = [];
      for (let look = 0; look < 5; look++) {
        readThrough(buffer);
        lost.push(...salvageAll(buffer));
      }
      const kept = readUses(buffer);
      expectAsWritten(kept);
      const reported = lost
        .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, n) => first + n))
        .filter(number => number <= WRITTEN);
      const accountedFor = [...kept.map(({ sequence }) => sequence), ...reported].sort((a, b) => a - b);
      expect(accountedFor).toEqual(written.slice(100).map(({ sequence }) => sequence));
      expect(reported.length).toBeLessThan(60);
      buffer.close();
    });
  });

  it('keeps the file and its log private to the owner', () => {
    const buffer = open();
    buffer.append(createSampleEvents(WRITTEN + 1, 1));
    for (const suffix of ['', '-wal']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600);
    buffer.close();
  });
});
