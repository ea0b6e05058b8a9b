import { describe, expect, it } from 'vitest';
import { createFaultSchedule } from './fault-schedule.ts';
import { shrinkSchedule } from './shrink-fault-schedule.ts';

const targets = { controllers: ['0', '1'], links: ['uplink', 'api'], hasSmallDisks: true, hasPostgres: false };

describe('createFaultSchedule', () => {
  it('repeats the same faults for the same seed, and others for another seed', () => {
    expect(createFaultSchedule(7, targets, 50, 100)).toEqual(createFaultSchedule(7, targets, 50, 100));
    expect(createFaultSchedule(7, targets, 50, 100)).not.toEqual(createFaultSchedule(8, targets, 50, 100));
  });

  it('has faults in the order of time, of every kind that the system allows', () => {
    const faults = createFaultSchedule(1, targets, 5000, 100);
    expect(faults.map(({ at }) => at)).toEqual(faults.map(({ at }) => at).toSorted((a, b) => a - b));
    const kinds = new Set(faults.map(({ kind }) => kind));
    expect(kinds.size).toBe(15);
    expect(kinds).not.toContain('database_restart');
    const withoutDisks = createFaultSchedule(1, { ...targets, hasSmallDisks: false }, 5000, 100);
    expect(withoutDisks.map(({ kind }) => kind)).not.toContain('disk_full');
  });
});

describe('shrinkSchedule', () => {
  const all = Array.from({ length: 100 }, (_, index) => index);
  const contains =
    (...needed: readonly number[]) =>
    async (part: readonly number[]) =>
      needed.every(one => part.includes(one));

  it.each([[[42]], [[0, 99]], [[3, 4, 57]]])('finds the smallest part that still fails: %j', async needed => {
    expect(await shrinkSchedule(all, contains(...needed), 1000)).toEqual(needed);
  });

  it('finds that no fault is needed', async () => {
    expect(await shrinkSchedule(all, async () => true, 1000)).toEqual([]);
  });

  it('stops at the limit of replays with the smallest part so far', async () => {
    let replays = 0;
    const fails = (part: readonly number[]): Promise<boolean> => {
      replays++;
      return contains(42)(part);
    };
    const part = await shrinkSchedule(all, fails, 3);
    expect(replays).toBe(3);
    expect(part).toContain(42);
    expect(part.length).toBeLessThan(100);
  });
});
