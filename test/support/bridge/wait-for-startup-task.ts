import { expect, vi } from 'vitest';
import type { TestBridge } from './test-bridge.ts';

/** Waits until the task that runs at the start of the bridge has ended. */
export const waitForTask = async ({ services }: TestBridge, name: string): Promise<void> => {
  await vi.waitFor(
    async () => {
      const leases = services.storage.writer.selectFrom('task_leases').select('lease_until').where('name', '=', name);
      expect(await leases.execute()).toEqual([{ lease_until: 0 }]);
    },
    { timeout: 60_000, interval: 10 },
  );
};
