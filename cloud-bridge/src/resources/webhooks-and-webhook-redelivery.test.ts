import { createWebhookRequestSchema, editWebhookRequestSchema } from '@lintel/wire-protocol/rest/webhook';
import { describe, expect, it } from 'vitest';
import { unsealSecret } from '../secrets/sealing.ts';
import { parseTestBody, captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { queueWebhookRedelivery } from './queue-webhook-test-and-redelivery.ts';
import { createWebhook, deleteWebhook, editWebhook, buildWebhookSecretSealContext } from './webhooks.ts';

const test = useTestOrganization();
const APPLICATION = 'app_1';
const create = (given: object = {}) =>
  test.organization.write(context =>
    createWebhook(
      context,
      APPLICATION,
      parseTestBody(createWebhookRequestSchema, { url: 'https://example.com/hook', ...given }),
    ),
  );
const edit = (id: string, given: object, application = APPLICATION) =>
  test.organization.write(context =>
    editWebhook(context, application, id, parseTestBody(editWebhookRequestSchema, given)),
  );
const remove = (id: string, application = APPLICATION) =>
  test.organization.write(context => deleteWebhook(context, application, id));

describe('createWebhook', () => {
  it('returns a secret that is stored sealed for this webhook only', async () => {
    const { id, secret, sealed_secret } = await create();
    const { masterKeys } = test.database.services;
    expect(secret).toMatch(/^whs_/);
    expect(unsealSecret(masterKeys, sealed_secret, buildWebhookSecretSealContext(test.organization.id, id))).toBe(
      secret,
    );
    expect(() =>
      unsealSecret(masterKeys, sealed_secret, buildWebhookSecretSealContext(test.organization.id, 'wh_2')),
    ).toThrow();
  });
});

describe('editWebhook', () => {
  it('does not find the webhook of another application', async () => {
    const { id } = await create();
    expect(await captureApiError(edit(id, { is_enabled: false }, 'app_2'))).toBe('not_found');
    expect((await edit(id, { is_enabled: false })).is_enabled).toBe(0);
  });

  it('does not find a deleted webhook', async () => {
    const { id } = await create();
    await remove(id);
    expect(await captureApiError(edit(id, { is_enabled: false }))).toBe('not_found');
  });

  it('replaces filter and expand as a whole', async () => {
    const { id } = await create({ filter: [{ object_type: 'member' }], expand: ['subject_member'] });
    const edited = await edit(id, { filter: [{ object_type: 'card', verb: 'create' }] });
    expect(JSON.parse(edited.filter)).toEqual([{ object_type: 'card', verb: 'create' }]);
    expect(JSON.parse(edited.expand)).toEqual(['subject_member']);
  });
});

describe('deleteWebhook', () => {
  it('deletes once, and only for its own application', async () => {
    const { id } = await create();
    expect(await captureApiError(remove(id, 'app_2'))).toBe('not_found');
    expect(await test.organization.eventsOf(() => remove(id))).toEqual(['delete webhook']);
    expect(await test.organization.eventsOf(() => remove(id))).toEqual([]);
  });
});

describe('queueWebhookRedelivery', () => {
  const failedDelivery = async (webhookId: string): Promise<string> => {
    const id = test.database.services.newId('webhook_delivery');
    const eventId = test.database.services.newId('event');
    await test.organization.write(async context =>
      context.log({ id: eventId, verb: 'check', object: { type: 'webhook', webhook_id: webhookId } }),
    );
    await test.database.insert('webhook_deliveries', {
      id,
      organization_id: test.organization.id,
      webhook_id: webhookId,
      event_id: eventId,
      created_at: 0,
      position: 1,
      status: 'failed',
      attempts: 11,
      request_url: null,
      response_status: 500,
      response_body: null,
      error: 'the receiver answered 500',
      duration_ms: 1,
      last_attempt_at: 1,
      next_attempt_at: null,
      tried_since: 1,
      body: null,
      note: null,
      awaits_receiver: 0,
    });
    return id;
  };
  const again = (webhookId: string, deliveryId: string, application = APPLICATION) =>
    test.organization.write(context => queueWebhookRedelivery(context, application, webhookId, deliveryId));

  it('makes a failed delivery due now, with a new retry window', async () => {
    const { id } = await create();
    expect(await again(id, await failedDelivery(id))).toMatchObject({
      status: 'pending',
      attempts: 0,
      next_attempt_at: test.database.clock.now,
      tried_since: null,
    });
  });

  it('does not find the delivery below another webhook or for another application', async () => {
    const [first, second] = [await create(), await create()];
    const delivery = await failedDelivery(first.id);
    expect(await captureApiError(again(second.id, delivery))).toBe('not_found');
    expect(await captureApiError(again(first.id, delivery, 'app_2'))).toBe('not_found');
  });

  it('rejects a disabled webhook and does not find a deleted one', async () => {
    const { id } = await create();
    const delivery = await failedDelivery(id);
    await edit(id, { is_enabled: false });
    expect(await captureApiError(again(id, delivery))).toBe('invalid_request: is_enabled');
    await remove(id);
    expect(await captureApiError(again(id, delivery))).toBe('not_found');
  });
});
