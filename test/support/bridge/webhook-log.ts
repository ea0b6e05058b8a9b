import { expect, vi } from 'vitest';
import type { Body, BridgeWorld, OrganizationClient } from './bridge-world.ts';

export const deliveriesOf = async (client: OrganizationClient, webhookId: string): Promise<readonly Body[]> =>
  (await client.done('GET', `/webhooks/${webhookId}/deliveries?limit=100`)).data;

/** The record is written a few milliseconds after the answer. */
export const recorded = (client: OrganizationClient, webhookId: string, statuses: readonly string[]): Promise<void> =>
  vi.waitFor(
    async () => {
      const found = (await deliveriesOf(client, webhookId)).map(({ status }) => String(status));
      expect(found.toSorted()).toEqual([...statuses].toSorted());
    },
    { timeout: 10_000, interval: 10 },
  );

/** What the log says once so many attempts are recorded. */
export const attempted = (client: OrganizationClient, webhookId: string, attempts: number): Promise<Body> =>
  vi.waitFor(
    async () => {
      const found = (await deliveriesOf(client, webhookId)).find(one => one['attempts'] === attempts);
      expect(found).toBeDefined();
      return found as Body;
    },
    { timeout: 10_000, interval: 10 },
  );

export const secondsUntilNext = (world: BridgeWorld, delivery: Body): number =>
  (Date.parse(delivery['next_attempt_at'] as string) - world.now) / 1000;
