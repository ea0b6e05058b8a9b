import { instant } from '@lintel/access-core/instant';
import { technicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signedIn } from '../support/bridge/administration.ts';
import { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { DeviceProcess } from '../support/processes/device-process.ts';
import { type FirmwareDoor, FirmwareHotel } from '../support/devices/firmware-hotel.ts';
import { TechnicianClient } from '../support/technician/technician-client.ts';

const SOON = { timeout: 10_000 };

let world: BridgeWorld;
let hotel: FirmwareHotel;
let door: FirmwareDoor;
let pass: string;
let device: DeviceProcess;
let client: TechnicianClient;

beforeEach(async () => {
  world = await BridgeWorld.open({ isTicking: true });
  world.now = instant(Date.now());
  hotel = await FirmwareHotel.open(world);
  door = await hotel.door();
  const tina = await signedIn(world, hotel.client.organizationId, 'technician', [hotel.siteId]);
  pass = String((await tina.done('POST', '/technician_passes', { site_id: hotel.siteId }))['pass']);
  await start();
});
afterEach(async () => {
  await device.stop('SIGKILL');
  await hotel.close();
  await world.close();
});

const start = async (): Promise<void> => {
  device = await DeviceProcess.start(door.dataDir, '--upstream', hotel.url);
  client = new TechnicianClient(String(device.ready['technician']));
  expect((await client.login({ pass })).status).toBe(200);
};
const rule = (code: string) => ({ code, gadget_id: door.gadgetId, action_id: 'open' });
const atDoor = async () => technicianRules.parse((await client.ask('GET', '/input_rules')).body);
const atDesk = async () => (await hotel.client.done('GET', `/devices/${door.deviceId}`))['input_rules'];
const put = (code: string, more: object = {}) =>
  client.ask('PUT', '/input_rules', { body: { input_rules: [rule(code)], ...more } });

it('a controller that is killed while rules are provisional comes up with the old ones, at the door and at the desk', async () => {
  await expect.poll(async () => (await atDoor()).destinations.length, SOON).toBeGreaterThan(0);
  await put('*5');
  await expect.poll(atDesk, SOON).toEqual([rule('*5')]);
  expect((await put('*1', { confirm_within_s: 120 })).body).toMatchObject({ input_rules: [rule('*1')] });
  const { body } = await client.ask('POST', '/commissioning', { body: { kind: 'pin' } });
  await device.stop('SIGKILL');
  await start();
  expect(await atDoor()).toMatchObject({ input_rules: [rule('*5')], provisional: null, conflict: null });
  expect((await client.ask('GET', '/commissioning')).body).toMatchObject({ active: false });
  const tried = { code: '*5', credential: { type: 'pin', pin: body['pin'] } };
  expect((await client.ask('POST', '/input_rules/try', { body: tried })).body).toMatchObject({ granted: false });
  const events = (await client.ask('GET', '/events')).body['data'] as unknown as { kind: string; detail?: string }[];
  for (const kind of ['rules_reverted', 'commissioning_ended'])
    expect(events.find(one => one.kind === kind)?.detail).toMatch(/^restart/);
  expect(await atDesk()).toEqual([rule('*5')]);

  await put('*1', { confirm_within_s: 120 });
  expect((await client.ask('POST', '/input_rules/confirm', { body: {} })).status).toBe(200);
  await device.stop('SIGKILL');
  await start();
  expect((await atDoor()).input_rules).toEqual([rule('*1')]);
  await expect.poll(atDesk, SOON).toEqual([rule('*1')]);
});
