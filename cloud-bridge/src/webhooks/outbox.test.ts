import { describe, expect, it } from 'vitest';
import { deleteWebhook } from '../resources/webhooks.ts';
import { useTestOutbox } from './outbox.test-support.ts';

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
