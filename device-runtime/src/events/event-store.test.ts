import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '@lintel/access-core/durations';
import SqliteDatabase from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instant } from '@lintel/access-core/instant';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { createSampleEvents } from '@lintel/test/support/devices/sample-events';
import { EventStore, EventStoreError } from './event-store.ts';
import type { LostSequenceRange } from './lost-ranges.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-events-'));
  file = join(folder, 'events.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const saved = { ceiling: 0, confirmed: 0, isExact: false, lastUsed: 0 };
const open = (limits: object = {}) => new EventStore({ file, ...limits });
const sequences = (events: readonly DeviceEvent[]) => events.map(({ sequence }) => sequence);
const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const ALL = [0, Number.MAX_SAFE_INTEGER, 1_000_000] as const;

/** The gap records of a test; the sequence continues after the newest. */
const gapsFor = (buffer: EventStore) => (lost: readonly LostSequenceRange[]) =>
  lost.map((range, index) => ({
    ...createSampleEvents(buffer.lastSequence() + 1 + index, 1)[0]!,
    kind: 'gap' as const,
    lost: range,
  }));

describe('EventStore', () => {
  it('uses a write-ahead log', () => {
    open().close();
    const database = new SqliteDatabase(file);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    database.close();
  });

  it('returns appended events, also after a restart, and continues the sequence', () => {
    const written = createSampleEvents(1, 5);
    const first = open();
    first.append(written.slice(0, 1));
    first.append(written.slice(1));
    first.close();
    const second = open();
    expect(second.read(...ALL)).toEqual(written);
    expect(second.lastSequence()).toBe(5);
    expect(second.waitingCount()).toBe(5);
    second.close();
  });

  it('appends a group completely or not at all', () => {
    const buffer = open();
    buffer.append(createSampleEvents(1, 1));
    expect(() => buffer.append([...createSampleEvents(2, 2), ...createSampleEvents(1, 1)])).toThrow(EventStoreError);
    expect(sequences(buffer.read(...ALL))).toEqual([1]);
    expect(buffer.waitingCount()).toBe(1);
    buffer.append(createSampleEvents(2, 1));
    expect(buffer.waitingCount()).toBe(2);
    buffer.close();
  });

  describe('with acknowledged events', () => {
    it('keeps them for display and for the bridge, and sends them no more', () => {
      const buffer = open();
      buffer.append(createSampleEvents(1, 10));
      buffer.acknowledge(numbers(1, 10));
      expect(buffer.waitingCount()).toBe(0);
      expect(buffer.read(...ALL)).toEqual([]);
      expect(sequences(buffer.newest(3))).toEqual([10, 9, 8]);
      expect([buffer.lastSequence(), buffer.confirmedUpTo(), buffer.highestConfirmed()]).toEqual([10, 10, 10]);
      buffer.close();
      const again = open();
      expect([again.lastSequence(), again.waitingCount()]).toEqual([10, 0]);
      again.close();
    });

    it('deletes them 30 days after they happened, in batches, and no waiting event', () => {
      const buffer = open();
      const written = createSampleEvents(1, 5_000);
      buffer.append(written);
      buffer.acknowledge(numbers(2, 4_990));
      const tidyAt = (now: number): number => {
        let turns = 0;
        while (buffer.tidy({ now: instant(now), isDiskAlmostFull: false })) turns++;
        return turns;
      };
      tidyAt(written[99]!.occurred_at + 30 * DAY_MS);
      expect(buffer.newest(10_000)).toHaveLength(5_000 - 98);
      expect(tidyAt(written.at(-1)!.occurred_at + 31 * DAY_MS)).toBeGreaterThan(2);
      expect(sequences(buffer.newest(100))).toEqual([...numbers(4_991, 5_000), 1].sort((a, b) => b - a));
      expect(buffer.waitingCount()).toBe(11);
      buffer.close();
    });

    it('keeps them for a day only when the disk is almost full', () => {
      const buffer = open();
      buffer.append(createSampleEvents(1, 10));
      buffer.acknowledge(numbers(1, 9));
      const now = instant(createSampleEvents(4, 1)[0]!.occurred_at + DAY_MS);
      while (buffer.tidy({ now, isDiskAlmostFull: true }));
      expect(sequences(buffer.newest(100))).toEqual([10, 9, 8, 7, 6, 5, 4]);
      buffer.close();
    });

    it('sends them again from the requested number on', () => {
      const buffer = open();
      buffer.append(createSampleEvents(1, 3_000));
      buffer.acknowledge(numbers(1, 2_999));
      let turns = 0;
      while (buffer.requeue(500)) turns++;
      expect(turns).toBeGreaterThan(2);
      expect(sequences(buffer.read(...ALL))).toEqual(numbers(500, 3_000));
      expect([buffer.waitingCount(), buffer.confirmedUpTo(), buffer.highestConfirmed()]).toEqual([2_501, 499, 499]);
      buffer.acknowledge(numbers(500, 3_000));
      expect([buffer.waitingCount(), buffer.confirmedUpTo()]).toEqual([0, 3_000]);
      buffer.close();
    });

    it('does not miss events that the bridge has received from memory', () => {
      const buffer = open();
      buffer.append(createSampleEvents(1, 2));
      buffer.acknowledge([1, 2, 3]);
      buffer.append(createSampleEvents(4, 1));
      expect(sequences(buffer.read(...ALL))).toEqual([4]);
      expect(buffer.waitingCount()).toBe(1);
      expect(buffer.salvage()).toBeNull();
      buffer.close();
    });
  });

  describe('when full', () => {
    it('drops acknowledged events first, then the oldest, replaced by a record of exactly what is missing', () => {
      const buffer = open({ diskBudget: 1_600_000 });
      buffer.append(createSampleEvents(1, 5_050));
      buffer.acknowledge([5_050]);
      expect(buffer.isOverfull()).toBe(true);
      buffer.makeRoom(gapsFor(buffer));
      expect(buffer.waitingCount()).toBe(5_049);
      buffer.makeRoom(gapsFor(buffer));
      const kept = buffer.read(...ALL);
      expect(kept[0]?.sequence).toBe(1_001);
      const first = createSampleEvents(1, 1)[0]!.occurred_at;
      expect(kept.at(-1)).toMatchObject({
        kind: 'gap',
        lost: { first: 1, last: 1_000, from: first, to: first + 999_000 },
      });
      expect(buffer.waitingCount()).toBe(kept.length);
      while (buffer.isOverfull()) buffer.makeRoom(gapsFor(buffer));
      expect(buffer.salvage()).toBeNull();
      buffer.close();
    });

    it('merges a dropped gap record into the next, so that no loss is forgotten', () => {
      const buffer = open({ diskBudget: 500_000 });
      let next = 1;
      for (let round = 0; round < 8; round++) {
        buffer.append(createSampleEvents(next, 1_000));
        while (buffer.isOverfull()) buffer.makeRoom(gapsFor(buffer));
        next = buffer.lastSequence() + 1;
      }
      const kept = buffer.read(...ALL);
      const reported = new Set<number>();
      for (const { lost } of kept)
        if (lost != null) for (let one = lost.first; one <= lost.last; one++) reported.add(one);
      const here = new Set(sequences(kept));
      for (let sequence = 1; sequence < next; sequence++)
        expect(reported.has(sequence) !== here.has(sequence)).toBe(true);
      buffer.close();
    });

    it('is limited by bytes', () => {
      const buffer = open({ diskBudget: 200_000 });
      buffer.append(createSampleEvents(1, 200));
      expect(buffer.isOverfull()).toBe(false);
      buffer.append(createSampleEvents(201, 800));
      expect(buffer.isOverfull()).toBe(true);
      buffer.close();
    });
  });

  it('behaves like a plain list for any sequence of operations', () => {
    const command = fc.oneof(
      fc.record({ type: fc.constant('append' as const), count: fc.integer({ min: 1, max: 6 }) }),
      fc.record({
        type: fc.constant('confirm' as const),
        some: fc.array(fc.nat(40), { maxLength: 20 }),
      }),
      fc.record({ type: fc.constant('requeue' as const), from: fc.nat(40) }),
      fc.record({ type: fc.constant('tidy' as const) }),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 25 }), commands => {
        const buffer = new EventStore({ file: ':memory:' });
        let waiting: number[] = [];
        let confirmed: number[] = [];
        let next = 1;
        let now = Date.parse('2027-01-01');
        for (const one of commands) {
          if (one.type === 'append') {
            buffer.append(createSampleEvents(next, one.count));
            for (let count = 0; count < one.count; count++) waiting.push(next++);
          } else if (one.type === 'confirm') {
            buffer.acknowledge(one.some.filter(sequence => sequence < next));
            confirmed.push(...waiting.filter(sequence => one.some.includes(sequence)));
            waiting = waiting.filter(sequence => !one.some.includes(sequence));
          } else if (one.type === 'requeue') {
            while (buffer.requeue(one.from));
            waiting = [...waiting, ...confirmed.filter(sequence => sequence >= one.from)].sort((a, b) => a - b);
            confirmed = confirmed.filter(sequence => sequence < one.from);
          } else {
            // Retention is checked from time to time only.
            now += DAY_MS;
            while (buffer.tidy({ now: instant(now), isDiskAlmostFull: false }));
            confirmed = [];
          }
          expect(sequences(buffer.read(...ALL))).toEqual(waiting);
          expect(buffer.waitingCount()).toBe(waiting.length);
          expect(buffer.confirmedUpTo()).toBeLessThan(waiting[0] ?? Number.POSITIVE_INFINITY);
        }
        buffer.close();
      }),
      { numRuns: iterations({ sample: 15, all: 60 }) },
    );
  });

  it('fails calls but not its construction when the folder is missing, and recovers', () => {
    const buffer = new EventStore({ file: join(folder, 'later', 'events.db') });
    expect(() => buffer.append(createSampleEvents(1, 1))).toThrow(EventStoreError);
    expect(() => buffer.recover()).toThrow(EventStoreError);
    expect(buffer.salvage()).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('loses and reports nothing on a restart before the first event', () => {
    open().close();
    const again = open({ savedNumbering: () => ({ ...saved, ceiling: 1_000 }) });
    expect(again.salvage()).toBeNull();
    expect([again.lastSequence(), again.waitingCount()]).toEqual([1_000, 0]);
    again.close();
  });

  it('reports numbers without an event once, also when events follow', () => {
    const first = open();
    first.append(createSampleEvents(1, 3));
    first.append(createSampleEvents(8, 1));
    first.close();
    const again = open();
    expect(sequences(again.read(...ALL))).toEqual([1, 2, 3, 8]);
    expect(again.salvage()?.lost).toEqual([{ first: 4, last: 7, from: null, to: null }]);
    again.append(gapsFor(again)([{ first: 4, last: 7, from: null, to: null }]));
    again.read(...ALL);
    expect(again.salvage()).toBeNull();
    expect(again.waitingCount()).toBe(5);
    again.close();
  });
});
