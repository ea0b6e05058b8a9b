import { copyFileSync, fdatasyncSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSampleEvents } from '@lintel/test/support/devices/sample-events';
import { EventStoreError } from './event-store-interface.ts';
import { SqliteEventStore } from './sqlite-event-store.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-flushed-log-'));
  file = join(folder, 'events.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const savedSequence = () => ({ ceiling: 0, confirmed: 0 });
const ALL = [0, Number.MAX_SAFE_INTEGER, 1_000_000] as const;

/** What a power cut would leave at this moment, opened again. */
const afterPowerCut = () => {
  const copy = join(folder, 'cut.db');
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
  const buffer = new SqliteEventStore({ file: copy, savedSequence });
  const events = buffer.read(...ALL);
  buffer.close();
  return events;
};

const tidyUp = (buffer: SqliteEventStore): void => {
  const conditions = { now: instant(0), isDiskAlmostFull: false };
  for (let turns = 0; buffer.tidy(conditions); turns++) if (turns > 100) throw new Error('there is no end to it');
};

describe('flushed write-ahead log', () => {
  describe('flush', () => {
    it('happens on every commit of an event, a group or an acknowledgement, before the call returns', () => {
      const flushed: number[] = [];
      const flush = (descriptor: number): void => {
        fdatasyncSync(descriptor);
        flushed.push(afterPowerCut().length);
      };
      const buffer = new SqliteEventStore({ file, savedSequence, flush });
      flushed.length = 0;
      const [first, ...others] = createSampleEvents(1, 4);
      buffer.append([first!]);
      expect(flushed).toEqual([1]);
      buffer.append(others);
      expect(flushed).toEqual([1, 4]);
      buffer.acknowledge([1, 2, 3]);
      expect(flushed).toEqual([1, 4, 1]);
      buffer.close();
    });

    it('that fails makes the append fail, and a repeated append stores the event once', () => {
      let isBroken = false;
      const flush = (descriptor: number): void => {
        if (isBroken) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
        fdatasyncSync(descriptor);
      };
      const buffer = new SqliteEventStore({ file, savedSequence, flush });
      buffer.append(createSampleEvents(1, 1));
      isBroken = true;
      expect(() => buffer.append(createSampleEvents(2, 1))).toThrow(EventStoreError);
      expect(() => buffer.append(createSampleEvents(2, 3))).toThrow(EventStoreError);
      expect(buffer.lastSequence()).toBe(1);
      expect(buffer.waitingCount()).toBe(1);
      isBroken = false;
      buffer.recover();
      buffer.append(createSampleEvents(2, 3));
      expect(buffer.read(...ALL)).toEqual(createSampleEvents(1, 4));
      expect(buffer.waitingCount()).toBe(4);
      buffer.close();
    });
  });

  describe('preallocated space', () => {
    it('exists before it is needed, and commits inside and beyond it are found', () => {
      const buffer = new SqliteEventStore({ file, savedSequence });
      buffer.append(createSampleEvents(1, 2));
      tidyUp(buffer);
      const { size } = statSync(`${file}-wal`);
      expect(size).toBeGreaterThan(3_000_000);
      for (let sequence = 3; sequence <= 200; sequence++) buffer.append(createSampleEvents(sequence, 1));
      expect(statSync(`${file}-wal`).size).toBe(size);
      expect(afterPowerCut()).toEqual(createSampleEvents(1, 200));
      buffer.append(createSampleEvents(201, 10_000));
      expect(statSync(`${file}-wal`).size).toBeGreaterThan(size);
      expect(afterPowerCut()).toEqual(createSampleEvents(1, 10_200));
      buffer.close();
    });

    it('is allocated again by the next run, which finds everything', () => {
      const first = new SqliteEventStore({ file, savedSequence });
      first.append(createSampleEvents(1, 3));
      tidyUp(first);
      first.close();
      const second = new SqliteEventStore({ file, savedSequence });
      tidyUp(second);
      expect(statSync(`${file}-wal`).size).toBeGreaterThan(3_000_000);
      expect(second.read(...ALL)).toEqual(createSampleEvents(1, 3));
      second.close();
    });
  });
});
