import { DAY_MS, MINUTE_MS } from '@lintel/access-core/durations';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instant, instant } from '@lintel/access-core/instant';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { MemoryState } from '@lintel/test/support/memory-state-store';
import { TrustedClock } from './trusted-clock.ts';

const at = (text: string): Instant => instant(Date.parse(text));
const FIRMWARE = at('2026-01-01T00:00:00Z');
const NOW = at('2026-06-01T10:00:00Z');
const YEAR = 365 * DAY_MS;

/** A board with a system clock that the test controls. */
const board = (floor: Instant | null = NOW, { hasRtc = false, synchronized = true } = {}) => {
  const state = new MemoryState();
  if (floor !== null) state.write('time_floor', floor);
  const monotonic = new VirtualClock();
  const system = {
    time: NOW,
    rtc: NOW,
    now: () => system.time,
    isSynchronized: () => synchronized,
    readRtc: () => system.rtc,
  };
  const open = (lastWritten: Instant | null = null, bootId: string | null = null) =>
    new TrustedClock({ state, monotonic, bootId, system, hasRtc, earliest: FIRMWARE, lastWritten });
  return { state, monotonic, system, open, time: open() };
};

describe('TrustedClock', () => {
  describe('after a start', () => {
    it('starts at the saved floor, untrusted, and advances', () => {
      const { time, monotonic } = board(NOW, { synchronized: false });
      time.poll();
      expect([time.now(), time.isTrusted(), time.source()]).toEqual([NOW, false, 'floor']);
      monotonic.advance(5_000);
      expect(time.now()).toBe(NOW + 5_000);
    });

    it('trusts a time server within a day of the floor', () => {
      const { time, system } = board();
      system.time = instant(NOW + DAY_MS - 1);
      expect(time.poll()).toBe('fine');
      expect([time.now(), time.isTrusted(), time.source()]).toEqual([NOW + DAY_MS - 1, true, 'ntp']);
    });

    it('trusts a real-time clock, where there is one', () => {
      const { time, system } = board(NOW, { hasRtc: true, synchronized: false });
      system.rtc = instant(NOW + 3_600_000);
      time.poll();
      expect([time.now(), time.isTrusted(), time.source()]).toEqual([NOW + 3_600_000, true, 'rtc']);
    });

    it('does not trust a real-time clock that stopped, although the system clock continues from a saved time', () => {
      const { time, system } = board(NOW, { hasRtc: true, synchronized: false });
      system.time = instant(NOW + 60_000);
      system.rtc = at('1970-01-01T00:01:00Z');
      expect(time.poll()).toBe('refused');
      expect([time.now(), time.isTrusted()]).toEqual([NOW, false]);
    });

    it('accepts any time server on the first run, unless it is older than the firmware', () => {
      const { time, system } = board(null);
      system.time = at('1970-01-01T00:00:10Z');
      expect(time.poll()).toBe('refused');
      expect([time.now(), time.isTrusted()]).toEqual([FIRMWARE, false]);
      system.time = NOW;
      expect(time.poll()).toBe('fine');
      expect([time.now(), time.isTrusted()]).toEqual([NOW, true]);
    });
  });

  describe('after a power loss', () => {
    it.each([
      ['a floor that was saved before it', NOW, NOW + 4 * MINUTE_MS],
      ['no floor at all', null, FIRMWARE + 90 * DAY_MS],
    ])('does not go back behind the last event, with %s', (_floor, floor, written) => {
      const time = board(floor, { synchronized: false }).open(instant(written));
      expect([time.now(), time.isTrusted()]).toEqual([written, false]);
    });

    it('stays at the floor when the last event is older, or predates a correction by the bridge', () => {
      const { open } = board(NOW, { synchronized: false });
      expect(open(instant(NOW - MINUTE_MS)).now()).toBe(NOW);
      expect(open(instant(NOW + 2 * 3_600_000)).now()).toBe(NOW);
    });

    it('still accepts any time server on the first run', () => {
      const time = board(null).open(instant(FIRMWARE + DAY_MS));
      expect(time.poll()).toBe('fine');
      expect([time.now(), time.isTrusted()]).toEqual([NOW, true]);
    });
  });

  describe('with a system clock stepped by years', () => {
    it.each([
      ['forward', 73 * YEAR],
      ['back', -20 * YEAR],
    ])('does not move %s, in any state', (_, step) => {
      for (const trust of ['floor', 'ntp', 'bridge'] as const) {
        const { time, system, state, monotonic } = board();
        if (trust === 'ntp') time.poll();
        if (trust === 'bridge') time.setByBridge(NOW);
        const before = [time.isTrusted(), time.source()];
        system.time = instant(NOW + step);
        expect(time.poll()).toBe('refused');
        expect([time.isTrusted(), time.source()]).toEqual(before);
        expect(time.now()).toBe(NOW);
        monotonic.advance(400_000);
        time.poll();
        expect(time.now()).toBe(NOW + 400_000);
        expect(state.read('time_floor')).toBe(NOW + 400_000);
      }
    });

    it('moves by at most a day per run in steps of hours', () => {
      const { time, system } = board();
      for (let hour = 1; hour <= 100; hour++) {
        system.time = instant(NOW + hour * 3_600_000);
        time.poll();
      }
      expect(time.now()).toBe(NOW + DAY_MS);
    });
  });

  describe('set by the bridge', () => {
    it.each([3 * YEAR, -100 * DAY_MS])('moves by %i ms, and the floor with it', step => {
      const { time, open } = board();
      time.setByBridge(instant(NOW + step));
      expect([time.now(), time.isTrusted(), time.source()]).toEqual([NOW + step, true, 'bridge']);
      expect(open().now()).toBe(NOW + step);
    });
  });

  describe('for certificate checks', () => {
    it('is not moved by a wrong time server on a new controller, and is corrected by the bridge', () => {
      const { time, system, open } = board(null);
      system.time = instant(NOW + 73 * YEAR);
      time.poll();
      time.save();
      expect([time.signedNow(), open().signedNow()]).toEqual([FIRMWARE, FIRMWARE]);
      time.setByBridge(NOW);
      expect([time.now(), time.signedNow(), open().now(), open().signedNow()]).toEqual([NOW, NOW, NOW, NOW]);
    });

    it("advances from the bridge's time, also over a restart, and ignores other clocks", () => {
      const { time, system, monotonic, open } = board();
      time.setByBridge(NOW);
      monotonic.advance(300_000);
      system.time = instant(NOW + DAY_MS / 2);
      time.poll();
      expect([time.now(), time.signedNow(), open().signedNow()]).toEqual([
        NOW + DAY_MS / 2,
        NOW + 300_000,
        NOW + 300_000,
      ]);
    });
  });

  describe('with a system clock that moves the time or is not believed', () => {
    const doubted = () => {
      const world = board();
      const doubts = { count: 0 };
      world.time.setByBridge(NOW);
      world.time.onSuspectTime(() => (doubts.count += 1));
      return { ...world, doubts };
    };

    it('reports that once, not at every check', () => {
      const { time, system, doubts } = doubted();
      time.poll();
      expect(doubts.count).toBe(0);
      system.time = instant(NOW + DAY_MS / 2);
      time.poll();
      time.poll();
      expect(doubts.count).toBe(1);
      system.time = NOW;
      time.poll();
      time.poll();
      expect(doubts.count).toBe(2);
    });

    it('does not believe that clock again after the bridge disagrees, until they agree', () => {
      const { time, system } = doubted();
      system.time = instant(NOW + DAY_MS / 2);
      time.poll();
      time.setByBridge(NOW);
      expect(time.poll()).toBe('refused');
      expect(time.now()).toBe(NOW);
      system.time = NOW;
      expect(time.poll()).toBe('fine');
      system.time = instant(NOW + DAY_MS / 2);
      expect(time.poll()).toBe('fine');
    });
  });

  it('accepts a server that is slightly behind without going back', () => {
    const { time, system } = board();
    system.time = instant(NOW - 30_000);
    expect(time.poll()).toBe('fine');
    expect([time.now(), time.isTrusted()]).toEqual([NOW, true]);
  });

  it('saves the floor on a stop and every few minutes', () => {
    const { time, monotonic, state, system } = board();
    system.time = NOW;
    time.poll();
    monotonic.advance(299_000);
    system.time = instant(NOW + 299_000);
    time.poll();
    expect(state.read('time_floor')).toBe(NOW);
    monotonic.advance(1_000);
    system.time = instant(NOW + 300_000);
    time.poll();
    expect(state.read('time_floor')).toBe(NOW + 300_000);
    monotonic.advance(7);
    time.save();
    expect(state.read('time_floor')).toBe(NOW + 300_007);
  });

  it('reports a floor that cannot be saved, and retries', () => {
    const { time, monotonic, state } = board(NOW, { synchronized: false });
    state.isFailing = true;
    monotonic.advance(300_000);
    expect(time.poll()).toBe('unsaved');
    state.isFailing = false;
    expect(time.poll()).toBe('fine');
    expect(state.read('time_floor')).toBe(NOW + 300_000);
  });

  it('never runs backwards, whatever other clocks say', () => {
    const step = fc.record({
      passes: fc.nat(100_000),
      says: fc.integer({ min: -3 * DAY_MS, max: 3 * DAY_MS }),
      restart: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const world = board();
        let { time } = world;
        let last = time.now();
        for (const { passes, says, restart } of steps) {
          world.monotonic.advance(passes);
          world.system.time = instant(NOW + says);
          time.poll();
          if (restart) {
            time.save();
            time = world.open();
          }
          expect(time.now()).toBeGreaterThanOrEqual(last);
          last = time.now();
        }
      }),
    );
  });
});
