import { describe, expect, it } from 'vitest';
import { FleetStatisticsCache } from './fleet-metrics.ts';
import type { FleetStatistics } from './fleet-statistics.ts';

describe('FleetStatisticsCache', () => {
  it('loads again after 15 seconds, and keeps the last numbers while the database is away', async () => {
    let now = 0;
    let loads = 0;
    let isDown = false;
    const cache = new FleetStatisticsCache(
      async () => {
        if (isDown) throw new Error('no database');
        loads += 1;
        return { connected: loads } as FleetStatistics;
      },
      () => now,
    );
    await cache.refresh();
    now = 14_999;
    await cache.refresh();
    expect([loads, cache.isDatabaseUp]).toEqual([1, true]);
    now = 15_000;
    isDown = true;
    await cache.refresh();
    expect([cache.latest?.connected, cache.isDatabaseUp]).toEqual([1, false]);
    isDown = false;
    await cache.refresh();
    expect([cache.latest?.connected, cache.isDatabaseUp]).toEqual([2, true]);
  });
});
