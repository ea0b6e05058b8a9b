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
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSampleEvents } from '@lintel/test/support/devices/sample-events';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';
import { EventStore } from './event-store.ts';
import { LastNumberFile } from './last-number-file.ts';
import type { LostSequenceRange } from './lost-ranges.ts';

const WRITTEN = 120;
const CONFIRMED = 20;
const CEILING = 160;
const EPOCH = 'abcdefghijkl';
const FRAME_BYTES = 24 + 4096;

let killedFolder: string;
let folder: string;
let file: string;
beforeAll(() => {
  killedFolder = mkdtempSync(join(tmpdir(), 'lintel-log-'));
  const running = join(killedFolder, 'running.db');
  const number = new LastNumberFile(join(killedFolder, 'last-event-number'));
  const store = new EventStore({ file: running });
  for (const event of createSampleEvents(1, WRITTEN)) {
    store.append([event]);
    number.write({ sequence: event.sequence, epoch: EPOCH }, { isFlushed: false });
    if (event.sequence === WRITTEN - 1) store.acknowledge(numbers(1, CONFIRMED));
  }
  // As a killed controller leaves them: everything is in the log.
  for (const suffix of ['', '-wal']) copyFileSync(running + suffix, join(killedFolder, `events.db${suffix}`));
  store.close();
  number.close();
});
afterAll(() => rmSync(killedFolder, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-log-'));
  file = join(folder, 'events.db');
  for (const name of ['events.db', 'events.db-wal', 'last-event-number'])
    copyFileSync(join(killedFolder, name), join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** What the next start finds. The losses are recorded, as the event log does. */
const restart = () => {
  const lastUsed = new LastNumberFile(join(folder, 'last-event-number')).read()?.sequence ?? 0;
  const savedNumbering = () => ({ ceiling: CEILING, confirmed: 0, isExact: false, lastUsed });
  const store = new EventStore({ file, savedNumbering });
  const lost: LostSequenceRange[] = [];
  for (let report = store.salvage(); report !== null; report = store.salvage()) {
    lost.push(...report.lost);
    store.append(
      report.lost.map((range, index) => ({
        ...createSampleEvents(store.lastSequence() + 1 + index, 1)[0]!,
        kind: 'gap' as const,
        lost: range,
      })),
    );
  }
  const kept = store.read(0, 100_000, 100_000).filter(({ kind }) => kind === 'use');
  const last = store.lastSequence();
  store.close();
  return { kept: kept.map(({ sequence }) => sequence), lost, last };
};

const flipBytes = (from: number, count: number): void => {
  const bytes = readFileSync(`${file}-wal`);
  for (let at = from; at < from + count; at++) bytes[at] = bytes[at]! ^ 0xa5;
  writeFileSync(`${file}-wal`, bytes);
};

const expectAllKnown = (): void => {
  const { kept, lost } = restart();
  const missing = lost.flatMap(({ first, last }) => numbers(first, last));
  const known = [...kept, ...missing].filter(number => number > CONFIRMED).toSorted((a, b) => a - b);
  expect(known).toEqual(numbers(CONFIRMED + 1, WRITTEN));
};

describe('EventStore after a kill', () => {
  it('reports nothing when the log is complete, and uses no reserved number again', () => {
    expect(restart()).toEqual({ kept: numbers(CONFIRMED + 1, WRITTEN), lost: [], last: CEILING });
    expect(restart()).toEqual({ kept: numbers(CONFIRMED + 1, WRITTEN), lost: [], last: CEILING });
  });

  it('reports exactly the events that are missing, wherever the log ends', () => {
    const { size } = statSync(`${file}-wal`);
    const step = Math.max(1, Math.floor(size / FRAME_BYTES / iterations({ sample: 12, all: 130 })));
    for (let frame = 0; frame < size / FRAME_BYTES; frame += step)
      for (const length of [32 + frame * FRAME_BYTES, 32 + frame * FRAME_BYTES + 1 + ((frame * 31) % 4_000)]) {
        for (const name of ['events.db', 'events.db-wal']) copyFileSync(join(killedFolder, name), join(folder, name));
        rmSync(`${file}-shm`, { force: true });
        truncateSync(`${file}-wal`, Math.min(size, length));
        expectAllKnown();
      }
  });

  it.each([
    ['a sector in the middle of the log', () => flipBytes(60 * FRAME_BYTES + 2_000, 512)],
    ['the first frame', () => flipBytes(32 + 500, 64)],
    ['the header of the log', () => flipBytes(0, 32)],
  ])('reports every loss after damage to %s, once', (_, damage) => {
    damage();
    expectAllKnown();
    expect(restart().lost).toEqual([]);
  });

  it('repeats the report when it was not recorded before a crash', () => {
    truncateSync(`${file}-wal`, 32 + 60 * FRAME_BYTES);
    new EventStore({
      file,
      savedNumbering: () => ({ ceiling: CEILING, confirmed: 0, isExact: false, lastUsed: WRITTEN }),
    }).close();
    expectAllKnown();
  });

  it.each([
    ['missing', (path: string) => rmSync(path)],
    ['empty', (path: string) => truncateSync(path, 0)],
    ['torn', (path: string) => truncateSync(path, 10)],
  ])('invents no loss when the last number is %s', (_, damage) => {
    damage(join(folder, 'last-event-number'));
    expect(existsSync(file)).toBe(true);
    expect(restart()).toEqual({ kept: numbers(CONFIRMED + 1, WRITTEN), lost: [], last: CEILING });
  });
});
