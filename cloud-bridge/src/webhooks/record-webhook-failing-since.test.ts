import { describe, expect, it } from 'vitest';
import { useTestOutbox } from './outbox.test-support.ts';
import { recordWebhookFailingSince } from './record-webhook-failing-since.ts';

const { test, addWebhook } = useTestOutbox();

describe('recordWebhookFailingSince', () => {
  it('shows a failing webhook and its recovery once each, with an event, and keeps it enabled', async () => {
    const id = await addWebhook();
    const report = (failingSince: number | null) => () =>
      recordWebhookFailingSince(test.database.services, { organization_id: test.organization.id, id }, failingSince);
    const failingSince = async () =>
      (
        await test.database.services.storage.writer
          .selectFrom('webhooks')
          .select(['failing_since', 'is_enabled'])
          .where('id', '=', id)
          .execute()
      )[0];
    expect(await test.organization.eventsOf(report(1000))).toEqual(['edit webhook']);
    expect(test.organization.events.at(-1)?.reason).toBe('failing');
    expect(await failingSince()).toEqual({ failing_since: 1000, is_enabled: 1 });
    expect(await test.organization.eventsOf(report(2000))).toEqual([]);
    expect(await test.organization.eventsOf(report(null))).toEqual(['edit webhook']);
    expect(test.organization.events.at(-1)?.reason).toBe('recovered');
    expect(await failingSince()).toEqual({ failing_since: null, is_enabled: 1 });
    expect(await test.organization.eventsOf(report(null))).toEqual([]);
  });
});
