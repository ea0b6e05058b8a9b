import { describe, expect, it } from 'vitest';
import { DoorHarness } from '../testing/door-harness.ts';

describe('disk_almost_full', () => {
  it('is raised at 90 % and cleared below 85 %', async () => {
    let usage: number | null = 0.89;
    const door = await DoorHarness.open(undefined, { diskUsage: () => usage });
    const faultsAt = (next: number | null): string[] => {
      usage = next;
      door.clock.advance(60_000);
      return door.controller.faults().map(({ code }) => code);
    };
    expect(faultsAt(0.899)).toEqual([]);
    expect(faultsAt(0.9)).toEqual(['disk_almost_full']);
    expect(door.controller.faults()[0]?.message).toContain('90 %');
    expect(faultsAt(0.86)).toEqual(['disk_almost_full']);
    expect(faultsAt(null)).toEqual(['disk_almost_full']);
    expect(faultsAt(0.849)).toEqual([]);
    expect(faultsAt(0.89)).toEqual([]);
    expect(door.kinds().filter(kind => kind === 'fault')).toHaveLength(1);
  });
});
