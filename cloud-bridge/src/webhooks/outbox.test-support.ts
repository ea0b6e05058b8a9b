import { createWebhookRequestSchema } from '@lintel/wire-protocol/rest/webhook';
import { afterEach, beforeAll } from 'vitest';
import { createWebhook } from '../resources/webhooks.ts';
import { parseTestBody, type TestOrganization, useTestOrganization } from '../test-organization.test-support.ts';
import { WebhookOutbox } from './outbox.ts';

/** An organization whose events are written to the outbox. `woken` has the webhooks with new deliveries of each commit. */
export const useTestOutbox = () => {
  const test = useTestOrganization();
  const woken: string[][] = [];
  beforeAll(() => {
    const { storage, clock, newId, writer } = test.database.services;
    const outbox = new WebhookOutbox({ storage, clock, newId });
    writer.onRecorded((db, recorded) => outbox.write(db, recorded));
    writer.onCommitted(recorded => woken.push([...outbox.onCommitted(recorded)]));
  });
  afterEach(() => {
    woken.length = 0;
  });

  const addWebhook = async (given: object = {}, organization = test.organization): Promise<string> => {
    const body = parseTestBody(createWebhookRequestSchema, {
      url: 'https://example.com',
      filter: [{ object_type: 'member' }],
      ...given,
    });
    return (await organization.write(context => createWebhook(context, 'app_1', body))).id;
  };
  const log = (verbs: readonly ('create' | 'edit' | 'delete')[], organization: TestOrganization = test.organization) =>
    organization.write(async context => {
      for (const verb of verbs) context.log({ verb, object: { type: 'member', member_id: 'mem_1' } });
    });
  const deliveriesOf = (webhookId: string) =>
    test.database.services.storage.writer
      .selectFrom('webhook_deliveries as d')
      .innerJoin('events as e', 'e.id', 'd.event_id')
      .select(['d.id', 'd.position', 'd.status', 'd.next_attempt_at', 'd.attempts', 'e.verb', 'e.recorded_at'])
      .where('d.webhook_id', '=', webhookId)
      .orderBy('d.position')
      .execute();

  return { test, woken, addWebhook, log, deliveriesOf };
};
