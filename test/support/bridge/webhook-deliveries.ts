import { expect, vi } from 'vitest';
import type { ApiBody, TestBridge, TestOrganizationClient } from './test-bridge.ts';

export const listWebhookDeliveries = async (
  client: TestOrganizationClient,
  webhookId: string,
): Promise<readonly ApiBody[]> => (await client.callOk('GET', `/webhooks/${webhookId}/deliveries?limit=100`)).data;

/** Waits until the log holds exactly these statuses: entries are written after the receiver has responded. */
export const expectDeliveries = async (
  client: TestOrganizationClient,
  webhookId: string,
  statuses: readonly string[],
): Promise<void> => {
  const logged = async () => (await listWebhookDeliveries(client, webhookId)).map(({ status }) => String(status));
  await expect.poll(async () => (await logged()).toSorted(), { interval: 10 }).toEqual([...statuses].toSorted());
};

/** Waits for the log entry with this number of attempts. */
export const waitForDeliveryAttempts = (
  client: TestOrganizationClient,
  webhookId: string,
  attempts: number,
  status?: string,
): Promise<ApiBody> =>
  vi.waitFor(
    async () => {
      const found = (await listWebhookDeliveries(client, webhookId)).find(
        one => one['attempts'] === attempts && (status === undefined || one['status'] === status),
      );
      expect(found).toBeDefined();
      return found as ApiBody;
    },
    { timeout: 60_000, interval: 10 },
  );

export const secondsUntilNextAttempt = (bridge: TestBridge, delivery: ApiBody): number =>
  (Date.parse(delivery['next_attempt_at'] as string) - bridge.now) / 1000;
