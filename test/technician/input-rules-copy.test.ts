import { createCommissioningCredentialResponseSchema } from '@lintel/wire-protocol/technician/commissioning-credential';
import { startTechnicianServer, type TechnicianServer } from '@lintel/device-runtime/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../support/bridge/admin-client.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import type { FirmwareController, FirmwareSite } from '../support/devices/firmware-site.ts';
import { createTestDevice, createTestSite } from '../support/bridge/site-fixtures.ts';
import { claimGateway, removeGatewayData, startGateway } from '../support/devices/claim-and-start-gateway.ts';
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
const copy = (to: string, rules: readonly object[], previous: readonly object[] = [], confirm_within_s = 120) =>
  client.call('POST', '/input_rules/copy', { body: { to, input_rules: rules, previous, confirm_within_s } });
const undo = () => client.call('POST', '/input_rules/copy/undo', { body: { to: back.deviceId } });
const decide = (step: 'confirm' | 'revert', to = back.deviceId) =>
  client.call('POST', `/input_rules/copy/${step}`, { body: { to } });
const copies = async () =>
  (await controllerRules()).copies.map(({ device_id, state, reason }) => [device_id, state, reason]);
const waitForCopy = (state: string) =>
  site.waitUntil(
    async () => (await controllerRules()).copies.some(report => report.state === state),
    () => `the copy to be ${state}; log: ${front.logged.join('\n')}`,
  );
const eventsOf = (deviceId: string) => fixture.technicianEvents(`object.device_id=${deviceId}&verb=edit`);

describe('GET /input_rules', () => {
  it('lists the other controllers of the site and their gadgets, also offline', async () => {
    await restart();
    await expect
      .poll(async () => (await controllerRules()).site_devices)
      .toEqual([{ id: back.deviceId, name: 'Front', input_rules: [] }]);
    expect((await controllerRules()).destinations).toMatchObject([
      { gadget_id: front.gadgetId, is_own: true },
      { gadget_id: back.gadgetId, device_id: back.deviceId, is_own: false, actions: [{ id: 'open' }, {}] },
    ]);
    await edit(rule(''), rule('*2', back.gadgetId));
    await expect.poll(() => rulesOf(front.deviceId)).toEqual([rule(''), rule('*2', back.gadgetId)]);
    await restart(UNREACHABLE_BROKER);
    expect((await controllerRules()).site_devices).toEqual([{ id: back.deviceId, name: 'Front', input_rules: [] }]);
  });
});

describe('POST /input_rules/copy', () => {
  let other: TechnicianServer;
  beforeEach(async () => {
    const silent = { log: () => undefined, console: () => undefined };
    const parts = { dataDir: back.dataDir, device: back.start(), productId: 'virtual' };
    other = await startTechnicianServer({ ...parts, ...silent, host: '127.0.0.1', port: 0 });
    await back.waitUntilSynced();
    await restart();
    await directoryKnown();
  });
  afterEach(async () => {
    await other.stop();
    await back.stop();
  });
  const directoryKnown = async () => {
    await expect.poll(async () => (await controllerRules()).site_devices.map(({ id }) => id)).toContain(back.deviceId);
  };
  const backCodes = () => back.running.controller.localRules.current.map(({ code }) => code);

  it('runs on trial at the other controller, and reaches the bridge when it is kept', async () => {
    expect((await copy(back.deviceId, [rule('*1', back.gadgetId)])).status).toBe(202);
    await waitForCopy('on_trial');
    expect([backCodes(), await rulesOf(back.deviceId)]).toEqual([['*1'], []]);
    expect((await controllerRules()).copies).toMatchObject([
      { device_id: back.deviceId, input_rules: [{ code: '*1' }], previous: [], seconds_left: expect.any(Number) },
    ]);
    expect((await decide('confirm')).status).toBe(202);
    await waitForCopy('kept');
    await expect.poll(() => rulesOf(back.deviceId)).toEqual([rule('*1', back.gadgetId)]);
    expect((await eventsOf(back.deviceId)).length).toBeGreaterThan(0);
    await front.waitUntilEventsUploaded();
    expect((await eventsOf(front.deviceId)).map(({ reason }) => reason)).toContain('rules_copied');
    expect(back.running.controller.localRules.versions).toMatchObject([
      { by: { user_id: technician.userId }, input_rules: [{ code: '*1' }] },
    ]);
  });

  it('is undone after it was kept, without a confirmation', async () => {
    const original = [rule('*7', back.gadgetId)];
    await technician.callOk('PUT', `/devices/${back.deviceId}/input_rules`, { input_rules: original });
    await expect.poll(backCodes).toEqual(['*7']);
    expect((await undo()).body['args']).toEqual({ reason: 'not_kept' });
    await copy(back.deviceId, [rule('*1', back.gadgetId)], original);
    await waitForCopy('on_trial');
    await decide('confirm');
    await waitForCopy('kept');
    await expect.poll(() => rulesOf(back.deviceId)).toEqual([rule('*1', back.gadgetId)]);
    expect((await undo()).status).toBe(202);
    await waitForCopy('reverted');
    expect(backCodes()).toEqual(['*7']);
    expect(back.running.controller.localRules.provisional).toBeNull();
    await expect.poll(() => rulesOf(back.deviceId)).toEqual(original);
  });

  it('is reverted on request, and nothing remains', async () => {
    await copy(back.deviceId, [rule('*1', back.gadgetId)]);
    await waitForCopy('on_trial');
    await decide('revert');
    await waitForCopy('reverted');
    expect([backCodes(), await rulesOf(back.deviceId)]).toEqual([[], []]);
    expect((await decide('confirm')).body['args']).toEqual({ reason: 'not_provisional' });
  });

  it('is refused when the rules there are not those that the technician has seen', async () => {
    const changed = [rule('*9', back.gadgetId)];
    await technician.callOk('PUT', `/devices/${back.deviceId}/input_rules`, { input_rules: changed });
    await expect.poll(backCodes).toEqual(['*9']);
    await copy(back.deviceId, [rule('*1', back.gadgetId)]);
    await waitForCopy('refused');
    expect([await copies(), backCodes()]).toEqual([[[back.deviceId, 'refused', 'edit_conflict']], ['*9']]);
    await copy(back.deviceId, [rule('*1', back.gadgetId)], changed);
    await waitForCopy('on_trial');
    expect(backCodes()).toEqual(['*1']);
  });

  it('stays within the site, and needs the other controller and this one online', async () => {
    const elsewhere = await createTestSite(bridge, site.client, { name: 'Elsewhere' });
    const remote = await createTestDevice(bridge, site.client, { site_id: elsewhere });
    const stranger = 'dev_01jx5m8z6q0000000000000009';
    await copy(remote.deviceId, [rule('*1')]);
    await copy(stranger, [rule('*1')]);
    await other.stop();
    await back.stop();
    await expect.poll(copies).toEqual([
      [remote.deviceId, 'refused', 'not_of_this_site'],
      [stranger, 'refused', 'not_found'],
    ]);
    await copy(back.deviceId, [rule('*1', back.gadgetId)]);
    await expect.poll(copies).toContainEqual([back.deviceId, 'refused', 'hardware_offline']);
    await restart(UNREACHABLE_BROKER);
    expect((await copy(back.deviceId, [rule('*1')])).body['args']).toEqual({ reason: 'offline' });
  });

  it('rejects a technician whom the bridge has deleted', async () => {
    const owner = await openAdminSession(bridge, site.client.organizationId, 'owner');
    await owner.callOk('DELETE', `/users/${technician.userId}`);
    await copy(back.deviceId, [rule('*1', back.gadgetId)]);
    await waitForCopy('refused');
    expect([await copies(), backCodes()]).toEqual([[[back.deviceId, 'refused', 'forbidden']], []]);
  });

  it('rejects provisional rules, unknown gadgets and its own device as a target', async () => {
    expect((await copy(front.deviceId, [rule('*1')])).body['args']).toEqual({ field: 'to' });
    expect((await copy('x', [rule('*1')])).body['args']).toEqual({ field: 'to' });
    const unknown = await copy(back.deviceId, [rule('*1', 'gad_01jx5m8z6q0000000000000009')]);
    expect([unknown.status, unknown.body['args']]).toEqual([400, { field: 'input_rules.0.gadget_id' }]);
    await client.call('PUT', '/input_rules', { body: { input_rules: [rule('*1')], confirm_within_s: 60 } });
    expect((await copy(back.deviceId, [rule('*1')])).body['args']).toEqual({ reason: 'provisional' });
  });

  it('works through a gateway', async () => {
    const gatewayDir = await claimGateway(bridge, site.client, site.siteId);
    const gateway = await startGateway(bridge, gatewayDir, site.url);
    try {
      await restart(gateway.addresses().mqtt);
      await directoryKnown();
      await copy(back.deviceId, [rule('*1', back.gadgetId)]);
      await waitForCopy('on_trial');
      expect(backCodes()).toEqual(['*1']);
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
    const { pin } = createCommissioningCredentialResponseSchema.parse(
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
      },
      details: { detail: expect.stringMatching(/^commissioning/) },
    });
    const [denied] = await site.events(`verb=deny&object.gadget_id=${front.gadgetId}`);
    expect(denied).toMatchObject({
      reason: 'unknown_credential',
      subject: { user_id: technician.userId },
      details: { detail: expect.stringMatching(/^try/) },
    });
    expect((await eventsOf(front.deviceId)).map(({ reason }) => reason)).toContain('commissioning_made');
  });
});
