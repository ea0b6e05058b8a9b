import { describe, expect, it } from 'vitest';
import { deleteWebhook } from '../resources/webhooks.ts';
import { useTestOutbox } from './outbox.test-support.ts';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import { WebhookFilterCache } from './filter-cache.ts';

const { test, woken, addWebhook, log, deliveriesOf } = useTestOutbox();

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
