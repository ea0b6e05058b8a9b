import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { describe, expect, it } from 'vitest';

export interface ClockTestBench {
  readonly clock: MonotonicClock;
  readonly advance: (milliseconds: number) => Promise<void>;
}

export const monotonicClockContract = (name: string, open: () => ClockTestBench): void => {
  describe(`${name} as a monotonic clock`, () => {
    it('advances', async () => {
      const { clock, advance } = open();
      const before = clock.now();
      await advance(20);
      expect(clock.now()).toBeGreaterThan(before);
    });

    it('calls back once, not before the given time, and not after cancellation', async () => {
      const { clock, advance } = open();
      const calls: string[] = [];
      const start = clock.now();
      clock.wake(addMilliseconds(start, 40), () => calls.push(`second ${clock.now() >= start + 40}`));
      clock.wake(addMilliseconds(start, 10), () => calls.push(`first ${clock.now() >= start + 10}`));
      clock.wake(addMilliseconds(start, 20), () => calls.push('cancelled'))();
      await advance(100);
      expect(calls).toEqual(['first true', 'second true']);
    });

    it('calls back for a time in the past', async () => {
      const { clock, advance } = open();
      let calls = 0;
      clock.wake(addMilliseconds(clock.now(), -1_000), () => calls++);
      await advance(20);
      expect(calls).toBe(1);
    });
  });
};
