import { after } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/device-runtime/ports/monotonic-clock';
import { describe, expect, it } from 'vitest';

export interface ClockBench {
  readonly clock: MonotonicClock;
  readonly pass: (milliseconds: number) => Promise<void>;
}

export const monotonicClockContract = (name: string, open: () => ClockBench): void => {
  describe(`${name} as a monotonic clock`, () => {
    it('runs forward', async () => {
      const { clock, pass } = open();
      const before = clock.now();
      await pass(20);
      expect(clock.now()).toBeGreaterThan(before);
    });

    it('rings at its time or after it, once, and never when it was cancelled', async () => {
      const { clock, pass } = open();
      const rung: string[] = [];
      const start = clock.now();
      clock.wake(after(start, 40), () => rung.push(`second ${clock.now() >= start + 40}`));
      clock.wake(after(start, 10), () => rung.push(`first ${clock.now() >= start + 10}`));
      clock.wake(after(start, 20), () => rung.push('cancelled'))();
      await pass(100);
      expect(rung).toEqual(['first true', 'second true']);
    });

    it('rings for a time that is already past', async () => {
      const { clock, pass } = open();
      let rung = 0;
      clock.wake(after(clock.now(), -1_000), () => rung++);
      await pass(20);
      expect(rung).toBe(1);
    });
  });
};
