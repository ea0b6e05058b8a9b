import { expect, it } from 'vitest';
import { openAdminSession, type AdminClient, callAsOwner } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestSite } from '../../support/bridge/site-fixtures.ts';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';

describeOnSqliteFirst('gadgets in use', bridge => {
  /** A door that an input rule of another device opens, and triggers that start from it and end at it. */
  const newDoorInUse = async () => {
    const client = await bridge().newOrganization();
    const admin = await openAdminSession(bridge(), client.organizationId, 'owner');
    const site_id = await createTestSite(bridge(), client);
    const [used, other] = [
      await createTestDevice(bridge(), client, { site_id }),
      await createTestDevice(bridge(), client, { site_id }),
    ];
    const input_rules = [
      { code: '', gadget_id: other.gadgetId, action_id: 'open' },
      { code: '*1', gadget_id: used.gadgetId, action_id: 'open' },
    ];
    await callAsOwner(bridge(), client, 'PUT', `/devices/${other.deviceId}/input_rules`, { input_rules });
    const newTrigger = async (given: object): Promise<string> =>
      (await client.callOk('POST', '/gadget_triggers', { source_type: 'state', ...given })).id;
    const source = await newTrigger({
      source_gadget_id: used.gadgetId,
      source_state_id: 'unlocked',
      target_gadget_id: other.gadgetId,
      target_action_id: 'open',
    });
    const target = await newTrigger({
      source_gadget_id: other.gadgetId,
      source_state_id: 'unlocked',
      target_gadget_id: used.gadgetId,
      target_action_id: 'hold',
    });
    return { client, admin, used, other, source, target };
  };

  const eventsSince = async (client: TestOrganizationClient, work: () => Promise<unknown>): Promise<string[]> => {
    const seen = new Set((await client.callOk('GET', '/events')).data.map(({ id }) => id));
    await work();
    return (await client.callOk('GET', '/events')).data
      .filter(({ id }) => !seen.has(id))
      .map(event => `${String(event['verb'])} ${(event['object'] as { type: string }).type}`)
      .sort();
  };

  const expectRefused = async (
    admin: AdminClient,
    method: 'DELETE' | 'PATCH',
    path: string,
    field: string,
    names: readonly string[],
    body?: object,
  ): Promise<void> => {
    const answer = await admin.call(method, path, body);
    expect(answer).toMatchObject({ status: 400, body: { type: 'invalid_request', args: { field } } });
    for (const name of names) expect(answer.body['message']).toContain(name);
  };

  it.each(['gadget', 'device'] as const)('keep their %s until force removes what uses it', async kind => {
    const { client, admin, used, other, source, target } = await newDoorInUse();
    const path = kind === 'gadget' ? `/gadgets/${used.gadgetId}` : `/devices/${used.deviceId}`;
    await expectRefused(admin, 'DELETE', path, `${kind}_id`, ["'*1'", other.deviceId, source, target, 'force=true']);
    expect((await admin.get(path)).body).toMatchObject({ is_deleted: false });
    expect((await admin.call('DELETE', `${path}?force=yes`)).body).toMatchObject({ args: { field: 'force' } });
    const events = await eventsSince(client, () => admin.callOk('DELETE', `${path}?force=true`));
    const deleted = kind === 'gadget' ? ['delete gadget'] : ['delete device', 'delete gadget'];
    expect(events).toEqual([...deleted, 'delete gadget_trigger', 'delete gadget_trigger', 'edit device']);
    expect((await admin.get(`/devices/${other.deviceId}`)).body).toMatchObject({
      input_rules: [{ code: '', gadget_id: other.gadgetId, action_id: 'open' }],
    });
    expect((await client.callOk('GET', '/gadget_triggers')).data).toEqual([]);
  });

  it.each([
    ['actions', { actions: [{ id: 'hold', name: 'Hold open' }] }, 'edit device'],
    ['actions', { actions: [{ id: 'open', name: 'Open' }] }, 'delete gadget_trigger'],
    ['states', { states: [] }, 'delete gadget_trigger'],
  ] as const)('keep their %s %j until force removes what uses them', async (field, body, event) => {
    const { client, admin, used } = await newDoorInUse();
    const path = `/gadgets/${used.gadgetId}`;
    await expectRefused(admin, 'PATCH', path, field, ['force=true'], body);
    const events = await eventsSince(client, () => admin.callOk('PATCH', `${path}?force=true`, body));
    expect(events).toEqual([event, 'edit gadget'].sort());
  });

  it('can be deleted with a device whose own rules use them', async () => {
    const client = await bridge().newOrganization();
    const admin = await openAdminSession(bridge(), client.organizationId, 'owner');
    const { deviceId, gadgetId } = await createTestDevice(bridge(), client, {
      site_id: await createTestSite(bridge(), client),
    });
    const input_rules = [{ code: '', gadget_id: gadgetId, action_id: 'open' }];
    await callAsOwner(bridge(), client, 'PUT', `/devices/${deviceId}/input_rules`, { input_rules });
    await expectRefused(admin, 'DELETE', `/gadgets/${gadgetId}`, 'gadget_id', [deviceId]);
    expect(await admin.callOk('DELETE', `/devices/${deviceId}`)).toMatchObject({ is_deleted: true });
  });
});
