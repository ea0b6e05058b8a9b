import { instant } from '@lintel/access-core/instant';
import { technicianInputRulesResponseSchema } from '@lintel/wire-protocol/technician/input-rules';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { DeviceProcess } from '../support/processes/device-process.ts';
import { type FirmwareController, FirmwareSite } from '../support/devices/firmware-site.ts';
import { keepFailureEvidence } from '../support/faults/failure-evidence.ts';
import { TechnicianApiClient } from '../support/technician/technician-api-client.ts';
import { technicianKey } from '../support/technician/technician-key.ts';

let bridge: TestBridge;
let site: FirmwareSite;
let door: FirmwareController;
let pass: string;
let device: DeviceProcess;
let client: TechnicianApiClient;

beforeEach(async () => {
  bridge = await TestBridge.open({ isTicking: true });
  bridge.now = instant(Date.now());
  site = await FirmwareSite.open(bridge);
  door = await site.claimController();
  const tina = await openAdminSession(bridge, site.client.organizationId, 'technician', [site.siteId]);
  const request = { site_id: site.siteId, public_key: technicianKey.publicKey };
  pass = String((await tina.callOk('POST', '/technician_passes', request))['pass']);
  await start();
});
afterEach(async context => {
  await device.stop('SIGKILL');
  keepFailureEvidence(context, { directories: [door.dataDir, bridge.dataDir], logs: { controller: device.log() } });
  await site.close();
  await bridge.close();
});

const start = async (): Promise<void> => {
  device = await DeviceProcess.start(door.dataDir, '--upstream', site.url);
  client = new TechnicianApiClient(String(device.ready['technician']));
  expect((await client.login({ pass })).status).toBe(200);
};
const rule = (code: string) => ({ code, gadget_id: door.gadgetId, action_id: 'open' });
const rulesAtController = async () =>
  technicianInputRulesResponseSchema.parse((await client.call('GET', '/input_rules')).body);
const rulesAtBridge = async () => (await site.client.callOk('GET', `/devices/${door.deviceId}`))['input_rules'];
const put = (code: string, more: object = {}) =>
  client.call('PUT', '/input_rules', { body: { input_rules: [rule(code)], ...more } });

describe('Controller that is killed while input rules are provisional', { tags: ['slow'] }, () => {
  it('returns to the previous rules, at the controller and at the bridge', async () => {
    await expect.poll(async () => (await rulesAtController()).destinations.length).toBeGreaterThan(0);
    await put('*5');
    await expect.poll(rulesAtBridge).toEqual([rule('*5')]);
    expect((await put('*1', { confirm_within_s: 120 })).body).toMatchObject({ input_rules: [rule('*1')] });
    const { body } = await client.call('POST', '/commissioning', { body: { kind: 'pin' } });
    await device.stop('SIGKILL');
    await start();
    expect(await rulesAtController()).toMatchObject({ input_rules: [rule('*5')], provisional: null, conflict: null });
    expect((await client.call('GET', '/commissioning')).body).toMatchObject({ active: false });
    const tried = { code: '*5', credential: { type: 'pin', pin: body['pin'] } };
    expect((await client.call('POST', '/input_rules/try', { body: tried })).body).toMatchObject({ granted: false });
    const events = (await client.call('GET', '/events')).body['data'] as unknown as { kind: string; detail?: string }[];
    for (const kind of ['rules_reverted', 'commissioning_ended'])
      expect(events.find(one => one.kind === kind)?.detail).toMatch(/^restart/);
    expect(await rulesAtBridge()).toEqual([rule('*5')]);
  });

  it('keeps rules that were confirmed', async () => {
    await expect.poll(async () => (await rulesAtController()).destinations.length).toBeGreaterThan(0);
    await put('*1', { confirm_within_s: 120 });
    expect((await client.call('POST', '/input_rules/confirm', { body: {} })).status).toBe(200);
    await device.stop('SIGKILL');
    await start();
    expect((await rulesAtController()).input_rules).toEqual([rule('*1')]);
    await expect.poll(rulesAtBridge).toEqual([rule('*1')]);
  });
});
