import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminClient } from '../support/bridge/admin-client.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import type { FirmwareController, FirmwareSite } from '../support/devices/firmware-site.ts';
import { UNREACHABLE_BROKER, ClaimedControllerFixture } from '../support/technician/claimed-controller-fixture.ts';
import type { TechnicianApiClient } from '../support/technician/technician-api-client.ts';

let bridge: TestBridge;
let site: FirmwareSite;
let door: FirmwareController;
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
  ({ site, controller: door, technician } = fixture);
});
afterEach(() => fixture.close());

const restart = async (url?: string): Promise<void> => {
  client = await fixture.restart(url);
};

const rule = (code: string) => ({ code, gadget_id: door.gadgetId, action_id: 'open' });
const controllerRules = () => fixture.controllerRules();
const bridgeRules = () => fixture.bridgeRules();
const edit = async (code: string) => {
  const { status, text } = await client.call('PUT', '/input_rules', { body: { input_rules: [rule(code)] } });
  expect([status, text]).toEqual([200, expect.any(String)]);
};
const waitUntilAcknowledged = () =>
  site.waitUntil(
    async () => !(await controllerRules()).pending,
    () => `the bridge to answer; log: ${door.logged.join('\n')}`,
  );
const technicianEdits = () => fixture.technicianEvents(`object.device_id=${door.deviceId}`);

describe('input rules edited on the technician page', () => {
  it('reach the bridge at once when the controller is online, with the technician as the editor', async () => {
    await restart();
    await door.waitUntilSynced();
    await edit('*1');
    await waitUntilAcknowledged();
    expect(await bridgeRules()).toEqual([rule('*1')]);
    await door.waitUntilEventsUploaded();
    expect((await technicianEdits()).map(({ verb, reason }) => [verb, reason])).toEqual(
      expect.arrayContaining([
        ['edit', undefined],
        ['edit', 'rules_edited'],
      ]),
    );
  });

  it('apply offline and reach the bridge after a reconnect', async () => {
    await restart();
    await door.waitUntilSynced();
    await restart(UNREACHABLE_BROKER);
    await edit('*1');
    await edit('*2');
    expect(await controllerRules()).toMatchObject({ input_rules: [rule('*2')], pending: true });
    await restart();
    expect(await controllerRules()).toMatchObject({ input_rules: [rule('*2')] });
    await waitUntilAcknowledged();
    await door.waitUntilSynced();
    expect(await bridgeRules()).toEqual([rule('*2')]);
    expect(await controllerRules()).toMatchObject({ input_rules: [rule('*2')], pending: false, conflict: null });
  });

  it('are kept as a conflict when the bridge has newer rules, and can be chosen afterwards', async () => {
    await restart();
    await door.waitUntilSynced();
    await restart(UNREACHABLE_BROKER);
    await edit('*1');
    await technician.callOk('PUT', `/devices/${door.deviceId}/input_rules`, { input_rules: [rule('*9')] });
    await restart();
    await waitUntilAcknowledged();
    await door.waitUntilSynced();
    expect(await controllerRules()).toMatchObject({
      input_rules: [rule('*9')],
      conflict: { yours: [rule('*1')], theirs: [rule('*9')], outcome: 'superseded' },
    });
    await client.call('POST', '/input_rules/conflict', { body: { keep: 'yours' } });
    await waitUntilAcknowledged();
    expect(await bridgeRules()).toEqual([rule('*1')]);
    expect((await controllerRules()).conflict).toBeNull();
  });
});

describe('actions of a technician', () => {
  it('are in the event log with the technician as the subject', async () => {
    await restart();
    await door.waitUntilSynced();
    const { body } = await client.call('POST', `/gadgets/${door.gadgetId}/actions/open`, { body: {} });
    expect((await client.call('POST', '/outputs/red/pulse', { body: { ms: 100 } })).status).toBe(200);
    await door.waitUntilEventsUploaded();
    const [used] = await site.events(`verb=use&object.gadget_id=${door.gadgetId}`);
    expect(used).toMatchObject({ id: body['event_id'], subject: { user_id: technician.userId } });
    expect((await technicianEdits()).map(({ reason }) => reason)).toContain('output_tested');
  });
});
