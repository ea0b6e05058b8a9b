import type { WebhookRow } from '../storage/schema.ts';
import type { WebhookDeliveryRow, WebhookQueueRow } from '../storage/webhook-and-schedule-trigger-schema.ts';
import { useTestOrganization } from '../test-organization.test-support.ts';
import { TEST_START_TIME } from '../testing/sqlite-template.ts';

/** An organization with webhooks and deliveries as rows of its database. */
export const useTestWebhookQueues = () => {
  const test = useTestOrganization();

  const addWebhook = async (
    change: Partial<WebhookRow> = {},
    queue: Partial<WebhookQueueRow> = {},
  ): Promise<string> => {
    const id = test.database.services.newId('webhook');
    await test.database.insert('webhooks', {
      id,
      organization_id: test.organization.id,
      is_deleted: 0,
      created_at: 0,
      metadata: '{}',
      oauth_application_id: 'app_1',
      url: 'https://example.com/hook',
      filter: '[]',
      expand: '[]',
      is_enabled: 1,
      sealed_secret: 'sealed',
      failing_since: null,
      ...change,
    });
    await test.database.insert('webhook_lanes', {
      webhook_id: id,
      lease_owner: null,
      lease_until: 0,
      failing_since: null,
      failed_deliveries: '[]',
      backoffs: 0,
      resume_at: 0,
      ...queue,
    });
    return id;
  };

  const addDelivery = async (
    webhookId: string,
    position: number,
    change: Partial<WebhookDeliveryRow> = {},
  ): Promise<string> => {
    const id = test.database.services.newId('webhook_delivery');
    await test.database.insert('webhook_deliveries', {
      id,
      organization_id: test.organization.id,
      webhook_id: webhookId,
      event_id: `event ${position}`,
      created_at: 0,
      position,
      status: 'pending',
      attempts: 0,
      request_url: null,
      response_status: null,
      response_body: null,
      error: null,
      duration_ms: null,
      last_attempt_at: null,
      next_attempt_at: TEST_START_TIME,
      tried_since: null,
      body: null,
      note: null,
      awaits_receiver: 0,
      ...change,
    });
    return id;
  };

  return { test, addWebhook, addDelivery };
};
