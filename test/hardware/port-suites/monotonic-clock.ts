import { after } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { describe, expect, it } from 'vitest';

export interface ClockBench {
  readonly clock: MonotonicClock;
  readonly pass: (milliseconds: number) => Promise<void>;
}

export const monotonicClockContract = (name: string, open: () => ClockBench): void => {
  describe(`${name} as a monotonic clock`, () => {
    it('advances', async () => {
      const { clock, pass } = open();
      const before = clock.now();
      await pass(20);
      expect(clock.now()).toBeGreaterThan(before);
    });

    it('calls back once, not before the given time, and not after cancellation', async () => {
      const { clock, pass } = open();
      const calls: string[] = [];
      const start = clock.now();
      clock.wake(after(start, 40), () => calls.push(`second ${clock.now() >= start + 40}`));
      clock.wake(after(start, 10), () => calls.push(`first ${clock.now() >= start + 10}`));
      clock.wake(after(start, 20), () => calls.push('cancelled'))();
      await pass(100);
      expect(calls).toEqual(['first true', 'second true']);
    });

    it('calls back for a time in the past', async () => {
      const { clock, pass } = open();
      let calls = 0;
      clock.wake(after(clock.now(), -1_000), () => calls++);
      await pass(20);
      expect(calls).toBe(1);
    });
  });
};
