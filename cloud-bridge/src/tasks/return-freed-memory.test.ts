import { describe, expect, it } from 'vitest';
import { MemoryPeakDetector } from './return-freed-memory.ts';

const MB = 2 ** 20;
const MINUTE = 60_000;

const sample = (at: number, megabytes: number, utilization = 0) => ({ at, residentBytes: megabytes * MB, utilization });

describe('detection of a memory peak that is over', () => {
  it('waits until the process is quiet for two samples', () => {
    const detector = new MemoryPeakDetector(200 * MB);
    const decisions = [
      sample(0, 250, 0.9),
      sample(5000, 500, 0.9),
      sample(10_000, 500, 0.1),
      sample(15_000, 500, 0.1),
    ].map(taken => detector.shouldCollect(taken));
    expect(decisions).toEqual([false, false, false, true]);
  });

  it('ignores small growth', () => {
    const detector = new MemoryPeakDetector(200 * MB);
    expect([sample(0, 260), sample(5000, 263)].map(taken => detector.shouldCollect(taken))).toEqual([false, false]);
  });

  it('measures growth from the lowest use, and from the last collection', () => {
    const detector = new MemoryPeakDetector(400 * MB);
    expect([sample(0, 200), sample(1, 264)].map(taken => detector.shouldCollect(taken))).toEqual([false, true]);
    detector.collected(2, 230 * MB);
    expect(detector.shouldCollect(sample(10 * MINUTE, 264))).toBe(false);
    expect(detector.shouldCollect(sample(11 * MINUTE, 294))).toBe(true);
  });

  it('collects at most every five minutes', () => {
    const detector = new MemoryPeakDetector(200 * MB);
    detector.shouldCollect(sample(0, 500));
    detector.collected(0, 200 * MB);
    expect(detector.shouldCollect(sample(4 * MINUTE, 500))).toBe(false);
    expect(detector.shouldCollect(sample(5 * MINUTE, 500))).toBe(true);
  });
});
