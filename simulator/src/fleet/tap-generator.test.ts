import { HOUR_MS } from '@lintel/access-core/durations';
import { describe, expect, it } from 'vitest';
import { computeRelativeTapRate } from './daily-tap-curve.ts';
import { FleetTapGenerator } from './tap-generator.ts';

/** The same random numbers every time. */
const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const tapsOf = (doors: number, tapsPerHour: number, dayMs: number | null, fromMs: number, toMs: number): number[] => {
  const source = new FleetTapGenerator({ tapsPerHour, dayMs }, doors, 0, seeded(7));
  source.due(fromMs);
  return source.due(toMs);
};

describe('FleetTapGenerator', () => {
  it('produces taps at the configured rate, equally at every door', () => {
    const taps = tapsOf(100, 12, null, 0, 10 * HOUR_MS);
    expect(taps.length).toBeGreaterThan(12_000 * 0.96);
    expect(taps.length).toBeLessThan(12_000 * 1.04);
    const byDoor = Map.groupBy(taps, door => door);
    expect(byDoor.size).toBe(100);
    expect(Math.max(...byDoor.keys())).toBe(99);
  });

  it('produces exponentially distributed gaps', () => {
    const source = new FleetTapGenerator({ tapsPerHour: 3600, dayMs: null }, 1, 0, seeded(11));
    const gaps: number[] = [];
    for (let at = 0; gaps.length < 5000; ) {
      gaps.push(source.next - at);
      at = source.next;
      source.due(at);
    }
    const short = gaps.filter(gap => gap < 1000 * Math.LN2).length;
    expect(short / gaps.length).toBeGreaterThan(0.47);
    expect(short / gaps.length).toBeLessThan(0.53);
  });

  it('is quiet at night and busy in the afternoon, at the configured daily rate', () => {
    const day = 24 * HOUR_MS;
    const hour = (at: number) => tapsOf(200, 12, day, at * HOUR_MS, (at + 1) * HOUR_MS).length;
    expect(hour(18)).toBeGreaterThan(hour(3) * 8);
    expect(tapsOf(200, 12, day, 0, day).length / (200 * 12 * 24)).toBeCloseTo(1, 1);
  });

  it('has a daily curve without a step at midnight and with a mean of one', () => {
    expect(computeRelativeTapRate(24 * HOUR_MS)).toBe(computeRelativeTapRate(0));
    expect(Math.abs(computeRelativeTapRate(24 * HOUR_MS - 1) - computeRelativeTapRate(0))).toBeLessThan(1e-5);
    const mean =
      Array.from({ length: 24 }, (_, at) => computeRelativeTapRate(at * HOUR_MS)).reduce((sum, rate) => sum + rate, 0) /
      24;
    expect(mean).toBeCloseTo(1, 2);
  });

  it('has a next tap when the day has no length', () => {
    expect(new FleetTapGenerator({ tapsPerHour: 12, dayMs: 0 }, 1, 0, seeded(7)).next).toBeGreaterThan(0);
  });

  it('produces nothing without a rate', () => {
    expect(tapsOf(10, 0, null, 0, 1e12)).toEqual([]);
  });
});
