import { commissioningResponse } from '@lintel/wire-protocol/technician/commissioning';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../support/bridge/admin-client.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import type { FirmwareController, FirmwareSite } from '../support/devices/firmware-site.ts';
import { createTestDevice, createTestSite } from '../support/bridge/site-fixtures.ts';
import { claimGateway, removeGatewayData, startGateway } from '../support/devices/claimed-gateway.ts';
import { UNREACHABLE_BROKER, ClaimedControllerFixture } from '../support/technician/claimed-controller-fixture.ts';
import type { TechnicianApiClient } from '../support/technician/technician-api-client.ts';

let bridge: TestBridge;
let site: FirmwareSite;
let front: FirmwareController;
let back: FirmwareController;
let technician: AdminClient;
let fixture: ClaimedControllerFixture;
let client: TechnicianApiClient;

let brokerUrl: string;
beforeAll(async () => {
  bridge = await TestBridge.open();
  brokerUrl = `mqtt://127.0.0.1:${await bridge.devices.broker!.listen('127.0.0.1', 0)}`;
});
afterAll(() => bridge.close());
beforeEach(async () => {
  fixture = await ClaimedControllerFixture.create(bridge, brokerUrl);
  ({ site, controller: front, technician } = fixture);
  back = await site.claimController();
});
afterEach(() => fixture.close());

const restart = async (url?: string): Promise<void> => {
  client = await fixture.restart(url);
  if (url !== UNREACHABLE_BROKER) await front.waitUntilSynced();
};

const rule = (code: string, gadget_id = front.gadgetId) => ({ code, gadget_id, action_id: 'open' });
const controllerRules = () => fixture.controllerRules();
const rulesOf = (deviceId: string) => fixture.bridgeRules(deviceId);
const edit = async (...rules: readonly ReturnType<typeof rule>[]) => {
  const { status, text } = await client.call('PUT', '/input_rules', { body: { input_rules: rules } });
  expect([status, text]).toEqual([200, expect.any(String)]);
};
const copy = (to: readonly string[], more: object = {}) =>
  client.call('POST', '/input_rules/copy', { body: { to, ...more } });
const copies = async () =>
  (await controllerRules()).copies.map(({ device_id, state, reason }) => [device_id, state, reason]);
const waitUntilCopied = () =>
  site.waitUntil(
    async () => (await controllerRules()).copies.every(({ state }) => state !== 'waiting'),
    () => `the bridge to answer; log: ${front.logged.join('\n')}`,
  );
const eventsOf = (deviceId: string) => fixture.technicianEvents(`object.device_id=${deviceId}&verb=edit`);

describe('GET /input_rules', () => {
  it('lists the other controllers of the site and their gadgets, also offline', async () => {
    await restart();
    await expect
      .poll(async () => (await controllerRules()).site_devices)
      .toEqual([{ id: back.deviceId, name: 'Front' }]);
    expect((await controllerRules()).destinations).toMatchObject([
      { gadget_id: front.gadgetId, is_own: true },
      { gadget_id: back.gadgetId, device_id: back.deviceId, is_own: false, actions: [{ id: 'open' }, {}] },
    ]);
    await edit(rule(''), rule('*2', back.gadgetId));
    await expect.poll(() => rulesOf(front.deviceId)).toEqual([rule(''), rule('*2', back.gadgetId)]);
    await restart(UNREACHABLE_BROKER);
    expect((await controllerRules()).site_devices).toEqual([{ id: back.deviceId, name: 'Front' }]);
  });
});

describe('POST /input_rules/copy', () => {
  it('writes the rules to other controllers as the technician, with the same or with matching gadgets', async () => {
    await restart();
    await edit(rule('*1'));
    expect((await copy([back.deviceId])).status).toBe(202);
    await waitUntilCopied();
    expect([await copies(), await rulesOf(back.deviceId)]).toEqual([[[back.deviceId, 'copied', null]], [rule('*1')]]);
    await copy([back.deviceId], { own_gadgets: 'match' });
    await waitUntilCopied();
    expect([await copies(), await rulesOf(back.deviceId)]).toEqual([
      [[back.deviceId, 'copied', null]],
      [rule('*1', back.gadgetId)],
    ]);
    expect(await eventsOf(back.deviceId)).toMatchObject([
      { verb: 'edit', object: { type: 'device', device_id: back.deviceId } },
      { verb: 'edit', object: { type: 'device', device_id: back.deviceId } },
    ]);
    await front.waitUntilEventsUploaded();
    expect((await eventsOf(front.deviceId)).map(({ reason }) => reason)).toContain('rules_copied');
  });

  it('copies once after a reconnect, also after a restart', async () => {
    await restart();
    await restart(UNREACHABLE_BROKER);
    await edit(rule('*1'));
    await copy([back.deviceId]);
    expect(await copies()).toEqual([[back.deviceId, 'waiting', null]]);
    await restart(UNREACHABLE_BROKER);
    expect(await copies()).toEqual([[back.deviceId, 'waiting', null]]);
    await restart();
    await waitUntilCopied();
    expect([await copies(), await rulesOf(back.deviceId)]).toEqual([[[back.deviceId, 'copied', null]], [rule('*1')]]);
    expect(await eventsOf(back.deviceId)).toHaveLength(1);
  });

  it('does not overwrite rules that changed on the bridge until it is requested again', async () => {
    await restart();
    await restart(UNREACHABLE_BROKER);
    await edit(rule('*1'));
    await copy([back.deviceId]);
    const changed = [rule('*9', back.gadgetId)];
    await technician.callOk('PUT', `/devices/${back.deviceId}/input_rules`, { input_rules: changed });
    await restart();
    await waitUntilCopied();
    expect([await copies(), await rulesOf(back.deviceId)]).toEqual([
      [[back.deviceId, 'refused', 'changed_meanwhile']],
      changed,
    ]);
    await copy([back.deviceId]);
    await waitUntilCopied();
    expect([await copies(), await rulesOf(back.deviceId)]).toEqual([[[back.deviceId, 'copied', null]], [rule('*1')]]);
  });

  it('copies within the site only and reports each rejection', async () => {
    const elsewhere = await createTestSite(bridge, site.client, { name: 'Elsewhere' });
    const remote = await createTestDevice(bridge, site.client, { site_id: elsewhere });
    const stranger = 'dev_01jx5m8z6q0000000000000009';
    await restart();
    await edit(rule('*1'));
    await copy([remote.deviceId, stranger, back.deviceId]);
    await waitUntilCopied();
    expect(await copies()).toEqual([
      [remote.deviceId, 'refused', 'not_of_this_site'],
      [stranger, 'refused', 'not_found'],
      [back.deviceId, 'copied', null],
    ]);
    expect(await rulesOf(remote.deviceId)).toEqual([]);
  });

  it('rejects a technician whom the bridge has deleted', async () => {
    await restart();
    await edit(rule('*1'));
    await expect.poll(async () => (await controllerRules()).pending).toBe(false);
    const owner = await openAdminSession(bridge, site.client.organizationId, 'owner');
    await owner.callOk('DELETE', `/users/${technician.userId}`);
    await copy([back.deviceId]);
    await waitUntilCopied();
    expect([await copies(), await rulesOf(back.deviceId)]).toEqual([[[back.deviceId, 'refused', 'forbidden']], []]);
  });

  it('rejects provisional rules and its own device as a target', async () => {
    await restart();
    const own = await copy([back.deviceId, front.deviceId]);
    expect([own.status, own.body['args']]).toEqual([400, { field: 'to.1' }]);
    expect((await copy([])).body['args']).toEqual({ field: 'to' });
    expect((await copy(['x'])).body['args']).toEqual({ field: 'to.0' });
    await client.call('PUT', '/input_rules', { body: { input_rules: [rule('*1')], confirm_within_s: 60 } });
    expect((await copy([back.deviceId])).body['args']).toEqual({ reason: 'provisional' });
    await client.call('POST', '/input_rules/confirm', { body: {} });
    expect((await copy([back.deviceId])).status).toBe(202);
  });

  it('works through a gateway', async () => {
    const gatewayDir = await claimGateway(bridge, site.client, site.siteId);
    const gateway = await startGateway(bridge, gatewayDir, site.url);
    try {
      await restart(gateway.addresses().mqtt);
      await edit(rule('*1'));
      await copy([back.deviceId]);
      await waitUntilCopied();
      expect([await copies(), await rulesOf(back.deviceId)]).toEqual([[[back.deviceId, 'copied', null]], [rule('*1')]]);
      await fixture.stop();
    } finally {
      await gateway.stop();
      removeGatewayData(gatewayDir);
    }
  });
});

describe('event log of the bridge', () => {
  it('has provisional edits, and the bridge gets the rules only when they are confirmed', async () => {
    await restart();
    const put = (code: string) =>
      client.call('PUT', '/input_rules', { body: { input_rules: [rule(code)], confirm_within_s: 120 } });
    await put('*1');
    await client.call('POST', '/input_rules/revert', { body: {} });
    await front.waitUntilEventsUploaded();
    expect(await rulesOf(front.deviceId)).toEqual([]);
    await put('*2');
    await client.call('POST', '/input_rules/confirm', { body: {} });
    await expect.poll(() => rulesOf(front.deviceId)).toEqual([rule('*2')]);
    await front.waitUntilEventsUploaded();
    expect((await eventsOf(front.deviceId)).map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['rules_edited', 'rules_reverted', 'rules_confirmed', undefined]),
    );
  });

  it('names the technician for actions with a commissioning PIN', async () => {
    await restart();
    const { pin } = commissioningResponse.parse(
      (await client.call('POST', '/commissioning', { body: { kind: 'pin' } })).body,
    );
    front.running.keypad.press(String(pin));
    expect(front.isUnlocked).toBe(true);
    await client.call('POST', '/input_rules/try', { body: { code: '', credential: { type: 'pin', pin: '99999999' } } });
    await front.waitUntilEventsUploaded();
    const [used] = await site.events(`verb=use&object.gadget_id=${front.gadgetId}`);
    expect(used).toMatchObject({
      object: { type: 'gadget_action', gadget_action_id: 'open' },
      subject: {
        user_id: technician.userId,
        access_method: 'pin',
        client: { detail: expect.stringMatching(/^commissioning/) },
      },
    });
    const [denied] = await site.events(`verb=deny&object.gadget_id=${front.gadgetId}`);
    expect(denied).toMatchObject({
      reason: 'unknown_credential',
      subject: { user_id: technician.userId, client: { detail: expect.stringMatching(/^try/) } },
    });
    expect((await eventsOf(front.deviceId)).map(({ reason }) => reason)).toContain('commissioning_made');
  });
});
