import { MemoryState } from '@lintel/test/support/memory-state-store';
import { describe, expect, it } from 'vitest';
import { DoorHarness } from '../testing/door-harness.ts';

const faultCodes = (door: DoorHarness): string[] => door.controller.faults().map(({ code }) => code);

const stored = (door: DoorHarness) => door.events.read(0, Number.MAX_SAFE_INTEGER, 100_000);

describe('event log', () => {
  describe.each(['full', 'failed'] as const)('on a disk that is %s', kind => {
    it('keeps granting access: the event waits in memory and a fault is reported', async () => {
      const door = await DoorHarness.open();
      door.events.failing = kind;
      door.press('2580');
      expect(door.isUnlocked).toBe(true);
      expect(faultCodes(door)).toEqual(['event_store']);
      expect(door.controller.waitingEventCount()).toBe(stored(door).length + 2);
    });

    it('writes the waiting events in order and once, as soon as the disk works again', async () => {
      const door = await DoorHarness.open();
      door.events.failing = kind;
      door.press('2580');
      door.reader.tap('0badcafe');
      door.clock.advance(2_000);
      const before = stored(door).length;
      door.events.failing = null;
      door.clock.advance(2_000);
      expect(
        stored(door)
          .slice(before)
          .map(event => event.kind),
      ).toEqual(['use', 'fault', 'deny']);
      expect(faultCodes(door)).toEqual([]);
      const sequences = stored(door).map(({ sequence }) => sequence);
      expect(sequences).toEqual(sequences.map((_, index) => sequences[0]! + index));
      door.press('2580');
      expect(stored(door).at(-1)).toMatchObject({ kind: 'use' });
    });

    it('counts events that exceed the memory limit exactly and reports them as a gap', async () => {
      const door = await DoorHarness.open();
      door.events.failing = kind;
      const TAPS = 5_300;
      for (let tap = 0; tap < TAPS; tap++) door.reader.tap('ffffffff');
      expect(door.controller.waitingEventCount() - stored(door).length).toBe(5_000);
      const all = door.recorded.toSorted((a, b) => a.sequence - b.sequence);
      const lost = all.length - 5_000;
      door.events.failing = null;
      door.clock.advance(2_000);
      const events = stored(door);
      const gap = events.find(event => event.kind === 'gap');
      expect(gap?.lost).toMatchObject({ first: all[0]?.sequence, last: all[lost - 1]?.sequence });
      expect(gap?.fault).toContain(`${lost} events from 2026-06-01T10:00:00.000Z`);
      const kept = new Set(events.map(({ id }) => id));
      expect(all.slice(lost).every(({ id }) => kept.has(id))).toBe(true);
    });
  });

  it('keeps granting access and uploads each event once when nothing can be written', async () => {
    const door = await DoorHarness.open();
    door.controller.eventQueues.next(100);
    door.events.failing = 'failed';
    door.state.isFailing = true;
    door.press('2580');
    door.reader.tap('0badcafe');
    expect(door.isUnlocked).toBe(true);
    expect(faultCodes(door)).toEqual(['event_store']);
    const sent = door.controller.eventQueues.next(100);
    expect(sent).toEqual(door.recorded.toSorted((a, b) => a.sequence - b.sequence));
    expect(new Set(sent.map(({ sequence }) => sequence)).size).toBe(sent.length);
    door.events.failing = null;
    door.state.isFailing = false;
    door.clock.advance(2_000);
    expect(faultCodes(door)).toEqual([]);
    expect(stored(door).slice(-sent.length)).toEqual(sent);
  });

  it('starts on a disk that cannot be written', async () => {
    const state = new MemoryState();
    state.write('event_times', { untrusted_from: 5, corrections: [] });
    state.isFailing = true;
    const door = await DoorHarness.open(undefined, { state });
    expect(faultCodes(door)).toContain('state:event_times');
    door.press('2580');
    expect(door.isUnlocked).toBe(true);
  });

  it('reports a fault when state cannot be saved, and the door keeps working', async () => {
    const door = await DoorHarness.open();
    door.state.isFailing = true;
    for (let count = 0; count < 5; count++) door.press('9999#');
    expect(faultCodes(door)).toContain('state:lockouts');
    door.press('2580');
    expect(door.isUnlocked).toBe(false);
    door.reader.tap('04a1b2c3');
    expect(door.isUnlocked).toBe(true);
    door.state.isFailing = false;
    door.clock.advance(30_000);
    for (let count = 0; count < 1; count++) door.press('9999#');
    expect(faultCodes(door)).not.toContain('state:lockouts');
  });

  describe('with a broken event disk and a working link', () => {
    const sent = (door: DoorHarness): string[] => door.controller.eventQueues.next(100).map(({ id }) => id);

    it('uploads events from memory once, and drops acknowledged ones', async () => {
      const door = await DoorHarness.open();
      sent(door);
      door.events.failing = 'failed';
      door.press('2580');
      const waiting = door.controller.eventQueues.next(100);
      expect(waiting.map(({ kind }) => kind)).toEqual(['use', 'fault']);
      expect(sent(door)).toEqual([]);
      door.controller.eventQueues.acknowledged({ event_ids: [waiting[0]!.id] });
      expect(door.controller.waitingEventCount()).toBe(stored(door).length + 1);
      door.events.failing = null;
      door.clock.advance(2_000);
      expect(sent(door)).toEqual([]);
      door.controller.eventQueues.acknowledged({ event_ids: [waiting[1]!.id] });
      expect(stored(door).map(({ id }) => id)).not.toContain(waiting[1]!.id);
      door.press('9999#');
      expect(sent(door).length).toBeGreaterThan(0);
    });

    it('reports a broken disk once, however often the bridge acknowledges events', async () => {
      const door = await DoorHarness.open();
      door.events.failing = 'full';
      for (let tap = 0; tap < 5; tap++) {
        door.reader.tap('0badcafe');
        door.controller.eventQueues.acknowledged({ event_ids: sent(door) });
        door.clock.advance(2_000);
      }
      expect(door.kinds().filter(kind => kind === 'fault')).toHaveLength(1);
      door.events.failing = null;
      door.reader.tap('0badcafe');
      expect(faultCodes(door)).toEqual([]);
    });
  });
});
