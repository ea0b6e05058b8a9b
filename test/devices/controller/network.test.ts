import { afterEach, beforeEach, expect, it } from 'vitest';
import { withToken } from '../../support/bridge/administration.ts';
import { BridgeWorld } from '../../support/bridge/bridge-world.ts';
import { FirmwareHotel, type FirmwareDoor } from '../../support/devices/firmware-hotel.ts';

let world: BridgeWorld;
let hotel: FirmwareHotel;
let door: FirmwareDoor;
let group: string;
beforeEach(async () => {
  world = await BridgeWorld.open({ isTicking: true });
  hotel = await FirmwareHotel.open(world);
  door = await hotel.door();
  group = await hotel.group(door.gadgetId);
});
afterEach(async () => {
  await hotel.close();
  await world.close();
});

const uses = () => hotel.events(`verb=use&object.gadget_id=${door.gadgetId}`);
const deviceStatus = async () =>
  (await hotel.client.done('GET', `/devices/${door.deviceId}`))['status'] as Record<string, unknown>;

it('a PIN made at the desk opens the door, and the use is in the log once', async () => {
  const member = await hotel.member(group, { pin: '2580' });
  door.start();
  await door.caughtUp();
  door.running.keypad.press('2580');
  expect(door.isUnlocked).toBe(true);
  await door.reported();
  expect(await uses()).toMatchObject([{ verb: 'use', subject: { member_id: member, access_method: 'pin' } }]);
});

it('a change at the desk reaches a door that is connected by itself', async () => {
  door.start();
  await door.caughtUp();
  await hotel.member(group, { uid: '04a1b2c3d4e5f6' });
  await door.caughtUp();
  door.running.reader.tap('04a1b2c3d4e5f6');
  expect(door.isUnlocked).toBe(true);
});

it('what happened without a line is in the log later, each once and in its order', async () => {
  await hotel.member(group, { uid: '04a1b2c3d4e5f6' });
  door.start();
  await door.caughtUp();
  await door.stop();
  door.start('mqtt://127.0.0.1:1');
  for (let tap = 0; tap < 20; tap++) {
    door.running.reader.tap('04a1b2c3d4e5f6');
    door.running.reader.tap('0badc0de');
  }
  const happened = door.recorded.filter(({ kind }) => kind === 'use' || kind === 'deny').map(({ id }) => id);
  expect(happened).toHaveLength(40);
  await door.stop();
  door.start();
  await door.reported();
  const known = (await hotel.events('', 'recorded_at')).map(({ id }) => id);
  expect(known.filter(id => happened.includes(id as never))).toEqual(happened);
});

it('a member who is deleted is refused at the door, with the reason in the log', async () => {
  const member = await hotel.member(group, { pin: '2580' });
  door.start();
  await door.caughtUp();
  await hotel.client.done('DELETE', `/members/${member}`);
  await hotel.until(
    () => {
      door.running.keypad.press('2580');
      return door.recorded.at(-1)?.kind === 'deny';
    },
    () => 'a denial',
  );
  await door.reported();
  expect((await hotel.events('verb=deny')).length).toBeGreaterThan(0);
});

it('an action of the API moves the relay, answers when it is done, and is one event', async () => {
  door.start();
  await door.caughtUp();
  const { status } = await hotel.client.call('POST', `/gadgets/${door.gadgetId}/actions/open`, {});
  expect(status).toBe(200);
  expect(door.isUnlocked).toBe(true);
  await door.reported();
  const { applicationId } = hotel.client;
  expect(await uses()).toMatchObject([{ subject: { oauth_application_id: applicationId, access_method: 'online' } }]);
});

it('says in the log and in its status when it comes and goes', async () => {
  door.start();
  await expect.poll(async () => (await deviceStatus())['online']).toBe(true);
  await door.stop();
  await expect.poll(async () => (await deviceStatus())['online']).toBe(false);
  const reasons = (await hotel.events(`object.device_id=${door.deviceId}&verb=edit`)).map(one => one['reason']);
  expect(reasons).toEqual(expect.arrayContaining(['online', 'offline']));
});

it('tells of its supply and its faults, and of a fault that is over', async () => {
  const power = { mains_present: false, battery_present: true, battery_charging: false, battery_percent: 40 };
  door.start(hotel.url, { network: { product_id: 'virtual', url: hotel.url, power: () => power } });
  await expect.poll(deviceStatus).toMatchObject(power);
  door.running.reader.fail({ kind: 'absent', message: 'the reader is unplugged' });
  const faults = async () => ((await deviceStatus())['faults'] as { code: string }[]).map(({ code }) => code);
  await expect.poll(faults, { timeout: 5000 }).toContain('reader:station-0');
  door.running.reader.fail(null);
  await expect.poll(faults, { timeout: 5000 }).not.toContain('reader:station-0');
});

it('a gadget shows the state that it is in', async () => {
  door.start();
  await door.caughtUp();
  await hotel.client.done('POST', `/gadgets/${door.gadgetId}/actions/open`, {});
  const state = async () => (await hotel.client.done('GET', `/gadgets/${door.gadgetId}`))['state_id'];
  await expect.poll(state).toBe('unlocked');
});

it('the reach of a PIN names the door that serves it', async () => {
  const member = await hotel.member(group, { pin: '2580' });
  door.start();
  await door.caughtUp();
  const { data } = await hotel.client.done('GET', `/members/${member}/pins`);
  const admin = await withToken(world, hotel.client.organizationId, 'full_read_only');
  const reach = async () => {
    const doors = (await admin.ask('GET', `/pins/${data[0]!.id}/reach`)).body['doors'];
    return (doors as { device_id: string; status: string }[]).map(one => `${one.device_id} ${one.status}`);
  };
  await expect.poll(reach).toEqual([`${door.deviceId} served`]);
});

it('takes its time from the bridge, however wrong its own clock was', async () => {
  door.start();
  expect(door.running.time.trusted()).toBe(false);
  await hotel.until(
    () => door.running.time.trusted(),
    () => 'the time',
  );
  expect(door.running.time.source()).toBe('bridge');
  expect(Math.abs(door.running.time.now() - world.now)).toBeLessThan(10_000);
});

it('serves from its disk before there is a network, and joins it when it comes', async () => {
  await hotel.member(group, { pin: '2580' });
  door.start();
  await door.caughtUp();
  await door.stop();
  door.start('mqtt://127.0.0.1:1');
  door.running.keypad.press('2580');
  expect(door.isUnlocked).toBe(true);
  expect(door.running.upstream()).toMatchObject({ connected: false, online: false });
});

it('an edit of the rules at the door is in force at once, and the desk has it when there is a line', async () => {
  await hotel.member(group, { pin: '2580' });
  door.start();
  await door.caughtUp();
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
  await hotel.until(
    () => !door.running.controller.localRules.isPending,
    () => `an answer; ${door.logged.join('\n')}`,
  );
  const device = await hotel.client.done('GET', `/devices/${door.deviceId}`);
  expect(device['input_rules']).toMatchObject([{ code: '#1', gadget_id: door.gadgetId }]);
});
