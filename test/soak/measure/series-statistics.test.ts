import { describe, expect, it } from 'vitest';
import { type Point, robustSlope, summarizeSeries, warmUpOf } from './series-statistics.ts';

const MEGABYTE = 2 ** 20;
const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const INTERVAL_MS = 10 * SECOND_MS;

/** One hour of samples. `valueAt` gets the part of the hour that has passed. */
const hourOf = (valueAt: (part: number, index: number) => number): Point[] =>
  Array.from({ length: HOUR_MS / INTERVAL_MS }, (_, index) => {
    const at = index * INTERVAL_MS;
    return [at, valueAt(at / HOUR_MS, index)] as const;
  });

const summarize = (points: readonly Point[]) =>
  summarizeSeries({ part: 'bridge', kind: 'memory', points }, warmUpOf(HOUR_MS));

describe('robustSlope', () => {
  it('finds the slope of a line', () => {
    const line: Point[] = [1, 2, 4, 7].map(at => [at, 3 * at + 5]);
    expect(robustSlope(line)).toBeCloseTo(3);
  });

  it('ignores outliers', () => {
    const line = Array.from({ length: 50 }, (_, at): Point => [at, at % 10 === 5 ? 1e9 : 2 * at]);
    expect(robustSlope(line)).toBeCloseTo(2);
  });

  it('has no value for fewer than two points', () => {
    expect(robustSlope([[1, 1]])).toBeNaN();
  });
});

describe('summarizeSeries', () => {
  it('calls noise around a level flat', () => {
    const { flat, name, slope_per_hour } = summarize(hourOf((_, index) => (100 + ((index * 7) % 5)) * MEGABYTE));
    expect({ flat, name }).toEqual({ flat: true, name: 'bridge memory' });
    expect(Math.abs(slope_per_hour)).toBeLessThan(MEGABYTE);
  });

  it('calls steady growth of 20 MB an hour not flat', () => {
    const { flat, slope_per_hour, first, last } = summarize(hourOf(part => (100 + 20 * part) * MEGABYTE));
    expect(flat).toBe(false);
    expect(slope_per_hour / MEGABYTE).toBeCloseTo(20);
    expect(last).toBeGreaterThan(first);
  });

  it('calls growth in many small steps not flat', () => {
    expect(summarize(hourOf(part => (100 + 4 * Math.floor(part * 8)) * MEGABYTE)).flat).toBe(false);
  });

  it('calls a sawtooth flat, and a sawtooth on a slope not', () => {
    const tooth = (index: number): number => (index % 30) * 0.5;
    expect(summarize(hourOf((_, index) => (100 + tooth(index)) * MEGABYTE)).flat).toBe(true);
    expect(summarize(hourOf((part, index) => (100 + tooth(index) + 20 * part) * MEGABYTE)).flat).toBe(false);
  });

  it('ignores growth that ends with the warm-up', () => {
    const { flat, first } = summarize(hourOf(part => (part < 0.25 ? 50 + 400 * part : 150) * MEGABYTE));
    expect({ flat, first }).toEqual({ flat: true, first: 150 * MEGABYTE });
  });

  it('calls a decrease flat', () => {
    expect(summarize(hourOf(part => (200 - 100 * part) * MEGABYTE)).flat).toBe(true);
  });

  it('allows growth of 5 % of the median above the noise of its kind', () => {
    const grows = (megabytes: number) => summarize(hourOf(part => (1000 + megabytes * part) * MEGABYTE)).flat;
    expect([grows(60), grows(80)]).toEqual([true, false]);
  });

  it('limits handles more strictly than memory', () => {
    const points = hourOf(part => 30 + 8 * part);
    expect(summarizeSeries({ part: 'gateway', kind: 'handles', points }, 0).flat).toBe(false);
    expect(summarizeSeries({ part: 'gateway', kind: 'memory', points }, 0).flat).toBe(true);
  });

  it('does not call a series without samples flat', () => {
    expect(summarize([]).flat).toBe(false);
  });
});
