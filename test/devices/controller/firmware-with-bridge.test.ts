import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminWithToken } from '../../support/bridge/admin-client.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { FirmwareSite, type FirmwareController } from '../../support/devices/firmware-site.ts';

let bridge: TestBridge;
let site: FirmwareSite;
let door: FirmwareController;
let group: string;
beforeAll(async () => {
  bridge = await TestBridge.open({ isTicking: true });
  return () => bridge.close();
});
beforeEach(async () => {
  site = await FirmwareSite.open(bridge);
  door = await site.claimController();
  group = await site.createGroup(door.gadgetId);
});
afterEach(() => site.close());

const uses = () => site.events(`verb=use&object.gadget_id=${door.gadgetId}`);
const deviceStatus = async () =>
  (await site.client.callOk('GET', `/devices/${door.deviceId}`))['status'] as Record<string, unknown>;

describe('firmware with a bridge', () => {
  it('opens the door for a new PIN and uploads the use once', async () => {
    const member = await site.createMember(group, { pin: '2580' });
    door.start();
    await door.waitUntilSynced();
    door.running.keypad.press('2580');
    expect(door.isUnlocked).toBe(true);
    await door.waitUntilEventsUploaded();
    expect(await uses()).toMatchObject([{ verb: 'use', subject: { member_id: member, access_method: 'pin' } }]);
  });

  it('reports a lost enrollment and does not look unclaimed', async () => {
    await site.createMember(group, { pin: '2580' });
    door.start();
    await door.waitUntilSynced();
    await door.stop();
    rmSync(join(door.dataDir, 'identity', 'membership.json'));
    const { controller, keypad } = door.start();
    expect(controller.faults()).toMatchObject([
      { code: 'identity', message: expect.stringContaining('identity/membership.json is missing. Restore it') },
    ]);
    expect(controller.wasClaimed).toBe(true);
    keypad.press('2580');
    expect(door.isUnlocked).toBe(true);
  });

  it('is answered after it has lost its counter of messages, even if the counter ran ahead of the clock', async () => {
    const file = join(door.dataDir, 'state', 'uplink_counter.json');
    mkdirSync(join(door.dataDir, 'state'), { recursive: true, mode: 0o700 });
    writeFileSync(file, String(bridge.now + 600_000), { mode: 0o600 });
    door.start();
    await door.waitUntilSynced();
    await door.stop();
    rmSync(file);
    await site.createMember(group, { pin: '2580' });
    door.start();
    await door.waitUntilSynced();
    door.running.keypad.press('2580');
    expect(door.isUnlocked).toBe(true);
  });

  it('receives changes while it is connected', async () => {
    door.start();
    await door.waitUntilSynced();
    await site.createMember(group, { uid: '04a1b2c3d4e5f6' });
    await door.waitUntilSynced();
    door.running.reader.tap('04a1b2c3d4e5f6');
    expect(door.isUnlocked).toBe(true);
  });

  it('uploads the events of an offline time later, each once and in order', async () => {
    await site.createMember(group, { uid: '04a1b2c3d4e5f6' });
    door.start();
    await door.waitUntilSynced();
    await door.stop();
    door.start('mqtt://127.0.0.1:1');
    for (let tap = 0; tap < 20; tap++) {
      door.running.reader.tap('04a1b2c3d4e5f6');
      door.running.reader.tap('0badc0de');
    }
    const offlineEvents = door.recorded.filter(({ kind }) => kind === 'use' || kind === 'deny').map(({ id }) => id);
    expect(offlineEvents).toHaveLength(40);
    await door.stop();
    door.start();
    await door.waitUntilEventsUploaded();
    const uploaded = (await site.events('', 'recorded_at')).map(({ id }) => id);
    expect(uploaded.filter(id => offlineEvents.includes(id as never))).toEqual(offlineEvents);
  });

  it('denies a deleted member and uploads the denial', async () => {
    const member = await site.createMember(group, { pin: '2580' });
    door.start();
    await door.waitUntilSynced();
    await site.client.callOk('DELETE', `/members/${member}`);
    const typePin = () => {
      door.running.keypad.press('2580');
      return door.recorded.at(-1)?.kind;
    };
    await expect.poll(typePin).toBe('deny');
    await door.waitUntilEventsUploaded();
    expect((await site.events('verb=deny')).length).toBeGreaterThan(0);
  });

  it('executes an action of the API, and one event records it', async () => {
    door.start();
    await door.waitUntilSynced();
    const { status } = await site.client.call('POST', `/gadgets/${door.gadgetId}/actions/open`, {});
    expect(status).toBe(200);
    expect(door.isUnlocked).toBe(true);
    await door.waitUntilEventsUploaded();
    const { applicationId } = site.client;
    expect(await uses()).toMatchObject([{ subject: { oauth_application_id: applicationId, access_method: 'online' } }]);
  });

  it('is online while it runs, with events for both changes', async () => {
    door.start();
    await expect.poll(async () => (await deviceStatus())['online']).toBe(true);
    await door.stop();
    await expect.poll(async () => (await deviceStatus())['online']).toBe(false);
    const reasons = (await site.events(`object.device_id=${door.deviceId}&verb=edit`)).map(one => one['reason']);
    expect(reasons).toEqual(expect.arrayContaining(['online', 'offline']));
  });

  it('reports power, and faults until they are over', async () => {
    const power = { mains_present: false, battery_present: true, battery_charging: false, battery_percent: 40 };
    const devices = bridge.services.storage.writer.updateTable('devices').where('id', '=', door.deviceId);
    await devices.set({ capabilities: JSON.stringify({ mains: true, battery: true }) }).execute();
    door.start(site.url, { network: { product_id: 'virtual', url: site.url, power: () => power } });
    await expect.poll(deviceStatus).toMatchObject(power);
    door.running.reader.fail({ kind: 'absent', message: 'the reader is unplugged' });
    const faults = async () => ((await deviceStatus())['faults'] as { code: string }[]).map(({ code }) => code);
    await expect.poll(faults).toContain('reader:station-0');
    door.running.reader.fail(null);
    await expect.poll(faults).not.toContain('reader:station-0');
  });

  it('reports the state of its gadget', async () => {
    door.start();
    await door.waitUntilSynced();
    await site.client.callOk('POST', `/gadgets/${door.gadgetId}/actions/open`, {});
    const state = async () => (await site.client.callOk('GET', `/gadgets/${door.gadgetId}`))['state_id'];
    await expect.poll(state).toBe('unlocked');
  });

  it('is listed in the reach of a PIN that it serves', async () => {
    const member = await site.createMember(group, { pin: '2580' });
    door.start();
    await door.waitUntilSynced();
    const { data } = await site.client.callOk('GET', `/members/${member}/pins`);
    const admin = await adminWithToken(bridge, site.client.organizationId, 'full_read_only');
    const reach = async () => {
      const doors = (await admin.callRoot('GET', `/pins/${data[0]!.id}/reach`)).body['doors'];
      return (doors as { device_id: string; status: string }[]).map(one => `${one.device_id} ${one.status}`);
    };
    await expect.poll(reach).toEqual([`${door.deviceId} served`]);
  });

  it('takes the time from the bridge', async () => {
    door.start();
    expect(door.running.time.isTrusted()).toBe(false);
    await expect.poll(() => door.running.time.isTrusted()).toBe(true);
    expect(door.running.time.source()).toBe('bridge');
    expect(Math.abs(door.running.time.now() - bridge.now)).toBeLessThan(10_000);
  });

  it('raises an alarm after a week without the bridge, which the API shows afterwards', async () => {
    await site.createMember(group, { pin: '2580' });
    door.start();
    await door.waitUntilSynced();
    const eightDaysAgo = door.running.time.now() - 8 * 86_400_000;
    await door.stop();
    writeFileSync(join(door.dataDir, 'state', 'bridge_contact.json'), String(eightDaysAgo));
    door.start('mqtt://127.0.0.1:1');
    expect(door.running.controller.faults().map(({ code }) => code)).toContain('slice_old');
    door.running.keypad.press('2580');
    expect(door.isUnlocked).toBe(true);
    await door.stop();
    door.start();
    await door.waitUntilEventsUploaded();
    await expect.poll(() => door.running.controller.faults()).toEqual([]);
    const faults = (await site.events(`object.device_id=${door.deviceId}`)).filter(({ reason }) => reason === 'fault');
    expect(JSON.stringify(faults)).toContain('slice_old: The bridge has not confirmed the access data for 7 days');
  });

  it('opens the door from its stored snapshot while it is offline', async () => {
    await site.createMember(group, { pin: '2580' });
    door.start();
    await door.waitUntilSynced();
    await door.stop();
    door.start('mqtt://127.0.0.1:1');
    door.running.keypad.press('2580');
    expect(door.isUnlocked).toBe(true);
    expect(door.running.upstream()).toMatchObject({ connected: false, online: false });
  });

  it('applies an offline edit of its input rules at once, and the bridge gets it after the reconnect', async () => {
    await site.createMember(group, { pin: '2580' });
    door.start();
    await door.waitUntilSynced();
    await door.stop();
    door.start('mqtt://127.0.0.1:1');
    const { localRules } = door.running.controller;
    localRules.edit([{ code: '#1', gadget_id: door.gadgetId as never, action_id: 'open' }], {
      pass_id: null,
      user_id: null,
    });
    door.running.keypad.press('#12580');
    expect(door.isUnlocked).toBe(true);
    await door.stop();
    door.start();
    await expect.poll(() => door.running.controller.localRules.isPending).toBe(false);
    const device = await site.client.callOk('GET', `/devices/${door.deviceId}`);
    expect(device['input_rules']).toMatchObject([{ code: '#1', gadget_id: door.gadgetId }]);
  });
});
