import { editDevice } from '@lintel/cloud-bridge/resources/devices';
import type { RunningGateway } from '@lintel/gateway/main';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { FirmwareHotel, type FirmwareDoor } from '../support/devices/firmware-hotel.ts';
import { administer } from '../support/bridge/place.ts';
import { FaultLine } from '../support/faults/fault-line.ts';
import { claimGateway, forgetGateway, startGateway } from '../support/devices/site-gateway.ts';

let world: BridgeWorld;
let hotel: FirmwareHotel;
let cloud: FaultLine;
let gatewayDir: string;
let gateway: RunningGateway;
let reader: FirmwareDoor;
let owner: FirmwareDoor;
let member: string;

beforeEach(async () => {
  world = await BridgeWorld.open({ isTicking: true });
  hotel = await FirmwareHotel.open(world);
  cloud = await FaultLine.to(hotel.url);
  reader = await hotel.door();
  owner = await hotel.door();
  const input_rules = [
    { code: '', gadget_id: reader.gadgetId, action_id: 'open' },
    { code: '*7', gadget_id: owner.gadgetId, action_id: 'open' },
  ] as never;
  await administer(world, hotel.client, context => editDevice(context, reader.deviceId, { input_rules }));
  const group = await hotel.group(reader.gadgetId, owner.gadgetId);
  member = await hotel.member(group, { pin: '2580', uid: '04a1b2c3d4e5f6' });
  gatewayDir = await claimGateway(world, hotel.client, hotel.siteId);
  gateway = await startGateway(world, gatewayDir, cloud.url);
  for (const door of [reader, owner]) {
    door.start(gateway.addresses().mqtt);
    await door.caughtUp();
  }
});
afterEach(async () => {
  await hotel.close();
  await gateway.stop();
  cloud.close();
  await world.close();
  forgetGateway(gatewayDir);
});

const becomes = (door: FirmwareDoor, online: boolean): Promise<void> =>
  hotel.until(
    () => door.isOnline === online,
    () => `the line to be ${online ? 'there' : 'gone'}; ${door.logged.join('\n')}`,
  );
const uses = (door: FirmwareDoor) => hotel.events(`verb=use&object.gadget_id=${door.gadgetId}`);

it('a change at the desk and an action of the API come through the gateway', async () => {
  expect((await hotel.client.call('POST', `/gadgets/${owner.gadgetId}/actions/open`, {})).status).toBe(200);
  expect(owner.isUnlocked).toBe(true);
  await hotel.client.done('DELETE', `/members/${member}`);
  await hotel.until(
    () => {
      reader.running.reader.tap('04a1b2c3d4e5f6');
      return reader.recorded.at(-1)?.kind === 'deny';
    },
    () => 'a denial',
  );
});

it('with the cloud cut, a PIN at one door still opens another, and all of it is in the log once later', async () => {
  cloud.cut();
  await becomes(reader, false);
  await becomes(owner, false);
  reader.running.keypad.press('*72580');
  await hotel.until(
    () => owner.isUnlocked,
    () => `an open door; ${reader.logged.join('\n')}`,
  );
  for (let tap = 0; tap < 10; tap++) reader.running.reader.tap('04a1b2c3d4e5f6');
  cloud.restore();
  await becomes(reader, true);
  await becomes(owner, true);
  await reader.reported();
  await owner.reported();
  expect(await uses(owner)).toMatchObject([{ subject: { member_id: member, device_id: reader.deviceId } }]);
  expect(await uses(reader)).toHaveLength(10);
});

it('a controller that is restarted while the cloud is cut serves, and catches up when it is back', async () => {
  cloud.cut();
  await becomes(reader, false);
  await reader.stop();
  await hotel.client.done('DELETE', `/members/${member}`);
  reader.start(gateway.addresses().mqtt);
  reader.running.reader.tap('04a1b2c3d4e5f6');
  expect(reader.isUnlocked).toBe(true);
  await becomes(reader, false);
  cloud.restore();
  await reader.caughtUp();
  reader.running.reader.tap('04a1b2c3d4e5f6');
  expect(reader.recorded.findLast(({ kind }) => kind === 'use' || kind === 'deny')?.kind).toBe('deny');
});
