import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@lintel/service/sqlite/open-sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LostSequenceRange } from './event-store-interface.ts';
import { createSampleEvents } from '@lintel/test/support/devices/sample-events';
import { SqliteEventStore } from './sqlite-event-store.ts';
import { WAL_FRAME_BYTES, hasWalCommitsAfterDamage } from './wal-commits-after-damage.ts';

const WRITTEN = 200;
const CEILING = 260;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-log-'));
  file = join(folder, 'events.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const openAt = (path: string, ceiling = CEILING) =>
  new SqliteEventStore({ file: path, retentionMs: 0, savedSequence: () => ({ ceiling, confirmed: 0 }) });

let powerCutFolder: string;
beforeAll(() => {
  powerCutFolder = mkdtempSync(join(tmpdir(), 'lintel-log-'));
  const buffer = openAt(join(powerCutFolder, 'running.db'), 0);
  for (let sequence = 1; sequence <= WRITTEN; sequence++) buffer.append(createSampleEvents(sequence, 1));
  for (const suffix of ['', '-wal'])
    copyFileSync(join(powerCutFolder, `running.db${suffix}`), join(powerCutFolder, `events.db${suffix}`));
  buffer.close();
});
afterAll(() => rmSync(powerCutFolder, { recursive: true }));

/** As after a power cut: everything is in the log and nothing in the database file. */
const copyPowerCutFiles = (): void => {
  for (const suffix of ['', '-wal']) copyFileSync(join(powerCutFolder, `events.db${suffix}`), file + suffix);
};

const flipBytes = (from: number, count: number): void => {
  const bytes = readFileSync(`${file}-wal`);
  for (let at = from; at < from + count; at++) bytes[at] = bytes[at]! ^ 0xa5;
  writeFileSync(`${file}-wal`, bytes);
};

const frameAt = (part: number): number => {
  const frames = Math.floor((statSync(`${file}-wal`).size - 32) / WAL_FRAME_BYTES);
  return 32 + Math.floor(frames * part) * WAL_FRAME_BYTES;
};

const keptAndLost = (buffer: SqliteEventStore): { readonly kept: Set<number>; readonly lost: Set<number> } => {
  const ranges: LostSequenceRange[] = [];
  for (let report = buffer.salvage(); report !== null; report = buffer.salvage()) ranges.push(...report.lost);
  const lost = new Set<number>();
  for (const { first, last } of ranges) for (let one = first; one <= last; one++) lost.add(one);
  return { kept: new Set(buffer.read(0, 100_000, 100_000).map(({ sequence }) => sequence)), lost };
};

/** Opens a copy, because closing the last connection removes the log. */
const isUnread = (): boolean => {
  const copy = join(folder, 'copy.db');
  for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
  const database = openSqlite(copy);
  try {
    return hasWalCommitsAfterDamage(database, copy);
  } finally {
    database.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
  }
};

describe('hasWalCommitsAfterDamage', () => {
  it('is false for a log that was written normally, truncated in the middle of a frame, or removed', () => {
    copyPowerCutFiles();
    expect(isUnread()).toBe(false);
    truncateSync(`${file}-wal`, frameAt(0.5) + 100);
    expect(isUnread()).toBe(false);
    rmSync(`${file}-wal`);
    expect(isUnread()).toBe(false);
  });

  it('is false for frames that an earlier round has left behind the end', () => {
    const database = openSqlite(file);
    database.exec('CREATE TABLE t (x)');
    for (let row = 0; row < 20; row++) database.exec(`INSERT INTO t VALUES (zeroblob(3000))`);
    database.pragma('wal_checkpoint(RESTART)');
    database.exec('INSERT INTO t VALUES (1)');
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(10 * WAL_FRAME_BYTES);
    expect(hasWalCommitsAfterDamage(database, file)).toBe(false);
    database.close();
  });

  it.each([
    ['a sector in the middle of the log', () => flipBytes(frameAt(0.5) + 2_000, 512)],
    ['the head of a frame', () => flipBytes(frameAt(0.3), 24)],
    ['the first frame', () => flipBytes(32 + 500, 64)],
    ['the last frame', () => flipBytes(statSync(`${file}-wal`).size - 1_000, 64)],
    ['the head of the log', () => flipBytes(0, 32)],
  ])('is true after damage to %s', (_, damage) => {
    copyPowerCutFiles();
    damage();
    expect(isUnread()).toBe(true);
  });
});

describe('EventBuffer with a damaged log', () => {
  it.each([
    ['a sector in the middle of the log', 80, () => flipBytes(frameAt(0.5) + 2_000, 512)],
    ['the head of a frame', 40, () => flipBytes(frameAt(0.3), 24)],
    ['the first frame', 0, () => flipBytes(32 + 500, 64)],
    ['the last frame', WRITTEN - 2, () => flipBytes(statSync(`${file}-wal`).size - 1_000, 64)],
    ['the head of the log', 0, () => flipBytes(0, 32)],
  ])('reports every loss after damage to %s and does not use a number twice', (_, least, damage) => {
    copyPowerCutFiles();
    damage();
    const buffer = openAt(file);
    expect(buffer.lastSequence()).toBe(CEILING);
    const { kept, lost } = keptAndLost(buffer);
    for (let sequence = 1; sequence <= WRITTEN; sequence++)
      expect(kept.has(sequence) !== lost.has(sequence)).toBe(true);
    expect(kept.size).toBeGreaterThanOrEqual(least);
    expect(keptAndLost(buffer).lost.size).toBe(0);
    buffer.append(createSampleEvents(buffer.lastSequence() + 1, 1));
    buffer.close();
    const again = openAt(file);
    expect(again.waitingCount()).toBe(kept.size + 1);
    again.close();
  });
});
