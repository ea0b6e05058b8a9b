import { createWebhookRequestSchema } from '@lintel/wire-protocol/rest/webhook';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createWebhook, deleteWebhook } from '../resources/webhooks.ts';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import { parseTestBody, type TestOrganization, useTestOrganization } from '../test-organization.test-support.ts';
import { WebhookFilterCache } from './filter-cache.ts';
import { recordWebhookFailingSince } from './record-webhook-failing-since.ts';
import { healthyWebhookReceiver, toWebhookHealthColumns } from './receiver-health.ts';
import { WebhookOutbox } from './outbox.ts';
import { type WebhookDeliveryUpdate, WebhookDeliveryRecorder } from './batched-delivery-and-lease-writer.ts';

const test = useTestOrganization();
let outbox: WebhookOutbox;
const woken: string[][] = [];
beforeAll(() => {
  const { storage, clock, newId, writer } = test.database.services;
  outbox = new WebhookOutbox({ storage, clock, newId });
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

describe('WebhookOutbox', () => {
  it('writes each matching event once for each webhook, in the order of the log', async () => {
    const [first, second] = [
      await addWebhook(),
      await addWebhook({ filter: [{ object_type: 'member', verb: 'edit' }] }),
    ];
    await log(['create', 'edit', 'delete']);
    const rows = await deliveriesOf(first);
    expect(rows.map(({ verb }) => verb)).toEqual(['create', 'edit', 'delete']);
    expect(rows.every(row => row.position === row.recorded_at && row.status === 'pending')).toBe(true);
    expect((await deliveriesOf(second)).map(({ verb }) => verb)).toEqual(['edit']);
  });

  it('matches an event once even if several rules match it', async () => {
    const webhook = await addWebhook({ filter: [{ object_type: 'member' }, { object_type: 'member', verb: 'edit' }] });
    await log(['edit']);
    expect(await deliveriesOf(webhook)).toHaveLength(1);
  });

  it('writes nothing for disabled and deleted webhooks and other organizations', async () => {
    const other = await test.database.addOrganization();
    const foreign = await addWebhook({}, other);
    const [disabled, deleted] = [await addWebhook({ is_enabled: false }), await addWebhook()];
    await test.organization.write(context => deleteWebhook(context, 'app_1', deleted));
    await log(['create']);
    for (const id of [foreign, disabled, deleted]) expect(await deliveriesOf(id)).toEqual([]);
  });

  it('returns the webhooks with new deliveries after the commit', async () => {
    const webhook = await addWebhook();
    await log(['create', 'edit']);
    expect(woken.at(-1)).toEqual([webhook]);
    await test.organization.write(async context => context.log({ verb: 'edit', object: { type: 'site' } }));
    expect(woken.at(-1)).toEqual([]);
  });

  it('writes nothing when the transaction fails', async () => {
    const webhook = await addWebhook();
    const failing = test.organization.write(async context => {
      context.log({ verb: 'create', object: { type: 'member' } });
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await deliveriesOf(webhook)).toEqual([]);
  });
});

describe('WebhookFilterCache', () => {
  const filters = new WebhookFilterCache();
  const event = {
    verb: 'use',
    object_type: 'gadget',
    object_gadget_id: 'gad_1',
    created_at: 1000,
  } as OrganizationEventRow;

  it.each([
    [false, []],
    [true, [{ object_type: 'gadget' }]],
    [true, [{ 'object.type': 'gadget', verb: null }]],
    [false, [{ object_type: 'gadget', verb: 'create' }]],
    [true, [{ object_type: 'member' }, { object_type: 'gadget', verb: 'use' }]],
    [true, [{ 'object.gadget_id': 'gad_1' }]],
    [false, [{ 'object.gadget_id': 'gad_2' }]],
    [false, [{ object_type: 'gadget', 'created_at:gt': '1970-01-01T00:00:01Z' }]],
    [true, [{ object_type: 'gadget', 'created_at:ge': '1970-01-01T00:00:01Z' }]],
    [false, [{ object_type: 'gadget', unknown: 'x' }]],
  ])('is %s for %j', (expected, rules) => {
    expect(filters.matches(JSON.stringify(rules), event)).toBe(expected);
  });
});

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

describe('WebhookDeliveryRecorder', () => {
  const updateFor = (id: string, change: Partial<WebhookDeliveryUpdate> = {}): WebhookDeliveryUpdate => ({
    id,
    status: 'delivered',
    attempts: 1,
    request_url: 'https://example.com',
    response_status: 200,
    response_body: null,
    error: null,
    duration_ms: 3,
    last_attempt_at: 5,
    next_attempt_at: null,
    tried_since: 5,
    body: null,
    note: null,
    awaits_receiver: 0,
    ...change,
  });
  const queueOf = (webhookId: string) =>
    test.database.services.storage.writer
      .selectFrom('webhook_lanes')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .executeTakeFirstOrThrow();
  const recorderOf = (owner: string, onError: (error: unknown) => void = () => undefined) => {
    const { storage, clock } = test.database.services;
    return new WebhookDeliveryRecorder({ storage, owner, clock, onError });
  };
  const lease = (webhookId: string, owner: string) =>
    sql`update webhook_lanes set lease_owner = ${owner}, lease_until = 99 where webhook_id = ${webhookId}`.execute(
      test.database.services.storage.writer,
    );

  it('writes everything recorded before flush() resolves', async () => {
    const webhook = await addWebhook();
    await log(['create', 'edit']);
    const [first, second] = await deliveriesOf(webhook);
    const recorder = recorderOf('me');
    recorder.record(updateFor(first!.id));
    recorder.record(updateFor(second!.id, { status: 'pending', attempts: 4, next_attempt_at: 77 }));
    await recorder.flush();
    expect(await deliveriesOf(webhook)).toMatchObject([
      { status: 'delivered', attempts: 1, next_attempt_at: null },
      { status: 'pending', attempts: 4, next_attempt_at: 77 },
    ]);
  });

  it('releases and updates only the queues of its owner', async () => {
    const [mine, other] = [await addWebhook(), await addWebhook()];
    await log(['create']);
    await lease(mine, 'me');
    await lease(other, 'another owner');
    const recorder = recorderOf('me');
    const health = { failingSince: 42, failedDeliveries: ['whd_1'], backoffs: 2, resumeAt: 77 };
    for (const id of [mine, other]) {
      recorder.updateHealth(id, toWebhookHealthColumns(health));
      recorder.releaseLease(id);
    }
    await recorder.flush();
    expect(await queueOf(mine)).toMatchObject({ lease_owner: null, lease_until: 0, ...toWebhookHealthColumns(health) });
    expect(await queueOf(other)).toMatchObject({
      lease_owner: 'another owner',
      lease_until: 99,
      ...toWebhookHealthColumns(healthyWebhookReceiver),
    });
  });

  it('reports until when the renewed leases are valid', async () => {
    const webhook = await addWebhook();
    await log(['create']);
    await lease(webhook, 'me');
    const recorder = recorderOf('me');
    recorder.renewLeases();
    await recorder.flush();
    expect(recorder.renewedUntil).toBe((await queueOf(webhook)).lease_until);
    expect(recorder.renewedUntil).toBeGreaterThan(test.database.clock.now);
  });
});
