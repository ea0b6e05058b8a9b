import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LostRange } from '../event-store.ts';
import { eventsFrom } from '../../test-support/sample-events.test-support.ts';
import { EventBuffer } from './event-buffer.ts';
import { stateOfLog } from './log-frames.ts';

const FRAME = 24 + 4096;
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
  new EventBuffer({ file: path, history: 0, remembered: () => ({ ceiling, confirmed: 0 }) });

let powerCutFolder: string;
beforeAll(() => {
  powerCutFolder = mkdtempSync(join(tmpdir(), 'lintel-log-'));
  const buffer = openAt(join(powerCutFolder, 'running.db'), 0);
  for (let sequence = 1; sequence <= WRITTEN; sequence++) buffer.append(eventsFrom(sequence, 1));
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
  const frames = Math.floor((statSync(`${file}-wal`).size - 32) / FRAME);
  return 32 + Math.floor(frames * part) * FRAME;
};

const keptAndLost = (buffer: EventBuffer): { readonly kept: Set<number>; readonly lost: Set<number> } => {
  const ranges: LostRange[] = [];
  for (let report = buffer.salvage(); report !== null; report = buffer.salvage()) ranges.push(...report.lost);
  const lost = new Set<number>();
  for (const { first, last } of ranges) for (let one = first; one <= last; one++) lost.add(one);
  return { kept: new Set(buffer.read(0, 100_000, 100_000).map(({ sequence }) => sequence)), lost };
};

describe('write-ahead log frames', () => {
  it('are intact when written normally or truncated in the middle of a frame', () => {
    copyPowerCutFiles();
    expect(stateOfLog(file)).toBe('whole');
    truncateSync(`${file}-wal`, frameAt(0.5) + 100);
    expect(stateOfLog(file)).toBe('whole');
    rmSync(`${file}-wal`);
    expect(stateOfLog(file)).toBe('whole');
  });

  it('left by an earlier cycle behind the end are not damage', () => {
    const database = new SqliteDatabase(file);
    database.pragma('journal_mode = WAL');
    database.exec('CREATE TABLE t (x)');
    for (let row = 0; row < 20; row++) database.exec(`INSERT INTO t VALUES (zeroblob(3000))`);
    database.pragma('wal_checkpoint(RESTART)');
    database.exec('INSERT INTO t VALUES (1)');
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(10 * FRAME);
    expect(stateOfLog(file)).toBe('whole');
    database.close();
  });

  it.each([
    ['a sector in the middle of the log', 'broken_inside', () => flipBytes(frameAt(0.5) + 2_000, 512)],
    ['the head of a frame', 'broken_inside', () => flipBytes(frameAt(0.3), 24)],
    ['the first frame', 'broken_inside', () => flipBytes(32 + 500, 64)],
    ['the last frame', 'broken', () => flipBytes(statSync(`${file}-wal`).size - 1_000, 64)],
    ['the head of the log', 'broken', () => flipBytes(0, 32)],
  ])('report every loss after damage to %s', (_, state, damage) => {
    copyPowerCutFiles();
    damage();
    expect(stateOfLog(file)).toBe(state);
    const buffer = openAt(file);
    const { kept, lost } = keptAndLost(buffer);
    for (let sequence = 1; sequence <= WRITTEN; sequence++)
      expect(kept.has(sequence) !== lost.has(sequence)).toBe(true);
    const mostLost = state === 'broken' ? CEILING - WRITTEN + 20 : 20;
    expect(lost.size).toBeLessThan(mostLost);
    expect(keptAndLost(buffer).lost.size).toBe(0);
    buffer.append(eventsFrom(buffer.lastSequence() + 1, 1));
    buffer.close();
    const again = openAt(file);
    expect(again.waiting()).toBe(kept.size + 1);
    again.close();
  });
});
