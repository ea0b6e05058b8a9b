import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LostRange } from '../../ports/event-store.ts';
import { eventsFrom } from '../../testing/sample-events.ts';
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

/** As the power going leaves it: all is in the log, and nothing of it in the file. */
const cutOff = (): void => {
  const running = join(folder, 'running.db');
  const buffer = openAt(running, 0);
  for (let sequence = 1; sequence <= WRITTEN; sequence++) buffer.append(eventsFrom(sequence, 1));
  for (const suffix of ['', '-wal']) copyFileSync(running + suffix, file + suffix);
  buffer.close();
};

const turn = (from: number, count: number): void => {
  const bytes = readFileSync(`${file}-wal`);
  for (let at = from; at < from + count; at++) bytes[at] = bytes[at]! ^ 0xa5;
  writeFileSync(`${file}-wal`, bytes);
};

const frameAt = (part: number): number => {
  const frames = Math.floor((statSync(`${file}-wal`).size - 32) / FRAME);
  return 32 + Math.floor(frames * part) * FRAME;
};

const toldAndKept = (buffer: EventBuffer): { readonly kept: Set<number>; readonly lost: Set<number> } => {
  const ranges: LostRange[] = [];
  for (let report = buffer.salvage(); report !== null; report = buffer.salvage()) ranges.push(...report.lost);
  const lost = new Set<number>();
  for (const { first, last } of ranges) for (let one = first; one <= last; one++) lost.add(one);
  return { kept: new Set(buffer.read(0, 100_000, 100_000).map(({ sequence }) => sequence)), lost };
};

it('a log as it was written is not broken, nor one that is cut off in the middle of a frame', () => {
  cutOff();
  expect(stateOfLog(file)).toBe('whole');
  truncateSync(`${file}-wal`, frameAt(0.5) + 100);
  expect(stateOfLog(file)).toBe('whole');
  rmSync(`${file}-wal`);
  expect(stateOfLog(file)).toBe('whole');
});

it('what an earlier round of the log has left behind the end is not damage', () => {
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
  ['a sector in the middle of the log', 'broken_inside', () => turn(frameAt(0.5) + 2_000, 512)],
  ['the head of a frame', 'broken_inside', () => turn(frameAt(0.3), 24)],
  ['the first frame', 'broken_inside', () => turn(32 + 500, 64)],
  ['the last frame', 'broken', () => turn(statSync(`${file}-wal`).size - 1_000, 64)],
  ['the head of the log', 'broken', () => turn(0, 32)],
])('damage to %s loses nothing that is not told', (_, state, damage) => {
  cutOff();
  damage();
  expect(stateOfLog(file)).toBe(state);
  const buffer = openAt(file);
  const { kept, lost } = toldAndKept(buffer);
  for (let sequence = 1; sequence <= WRITTEN; sequence++) expect(kept.has(sequence) !== lost.has(sequence)).toBe(true);
  const mostLost = state === 'broken' ? CEILING - WRITTEN + 20 : 20;
  expect(lost.size).toBeLessThan(mostLost);
  expect(toldAndKept(buffer).lost.size).toBe(0);
  buffer.append(eventsFrom(buffer.lastSequence() + 1, 1));
  buffer.close();
  const again = openAt(file);
  expect(again.waiting()).toBe(kept.size + 1);
  again.close();
});
