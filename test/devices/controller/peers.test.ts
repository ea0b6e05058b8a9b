import { editDevice } from '@lintel/cloud-bridge/resources/devices';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BridgeWorld } from '../../support/bridge/bridge-world.ts';
import { FirmwareHotel, type FirmwareDoor } from '../../support/devices/firmware-hotel.ts';
import { administer, door } from '../../support/bridge/place.ts';

let world: BridgeWorld;
let hotel: FirmwareHotel;
let reader: FirmwareDoor;
let owner: FirmwareDoor;
let member: string;
beforeEach(async () => {
  world = await BridgeWorld.open({ isTicking: true });
  hotel = await FirmwareHotel.open(world);
  reader = await hotel.door([{ ...door, states: [{ id: 'locked', name: 'Locked' }, ...(door.states ?? [])] }]);
  owner = await hotel.door();
  const input_rules = [{ code: '*7', gadget_id: owner.gadgetId, action_id: 'open' }] as never;
  await administer(world, hotel.client, context => editDevice(context, reader.deviceId, { input_rules }));
  member = await hotel.member(await hotel.group(owner.gadgetId), { pin: '2580' });
  for (const controller of [reader, owner]) {
    controller.start();
    await controller.caughtUp();
  }
  await reader.caughtUp();
});
afterEach(async () => {
  await hotel.close();
  await world.close();
});

const type = (keys: string): void => reader.running.keypad.press(keys);
const uses = () => hotel.events(`verb=use&object.gadget_id=${owner.gadgetId}`);
const untilUnlocked = () =>
  hotel.until(
    () => owner.isUnlocked,
    () => `an open door; ${reader.logged.join('\n')} ${owner.logged.join('\n')}`,
  );

it('a PIN typed at one controller opens the door of another, and one event says who and where', async () => {
  type('*72580');
  await untilUnlocked();
  await owner.reported();
  await reader.reported();
  expect(await uses()).toMatchObject([{ subject: { member_id: member, device_id: reader.deviceId } }]);
});

it('opens again and again without asking for a nonce first', async () => {
  for (let time = 0; time < 3; time++) {
    type('*72580');
    await hotel.until(
      () => owner.recorded.filter(({ kind }) => kind === 'use').length > time,
      () => 'a use',
    );
  }
  await owner.reported();
  expect(await uses()).toHaveLength(3);
});

it('the owner decides again: what its own slice does not have is refused', async () => {
  await hotel.client.done('DELETE', `/members/${member}`);
  await owner.caughtUp();
  const performed = owner.running.controller.executeForPeer(
    reader.deviceId as never,
    { gadget_id: owner.gadgetId as never, action_id: 'open' },
    { id: member as never, access_method: 'pin', subject: { member_id: member as never, access_method: 'pin' } },
  );
  expect(performed).toMatchObject({ outcome: 'denied' });
  expect(owner.isUnlocked).toBe(false);
});

it('an owner that is away makes a fault in the log, and nothing opens when it comes back', async () => {
  await owner.stop();
  type('*72580');
  await hotel.until(
    () => reader.recorded.some(({ fault }) => fault === 'gadget_unreachable'),
    () => 'the fault',
  );
  owner.start();
  await owner.caughtUp();
  expect(owner.isUnlocked).toBe(false);
  expect(await uses()).toEqual([]);
});

it('a trigger of one controller moves a gadget of another', async () => {
  await hotel.client.done('POST', '/gadget_triggers', {
    source_type: 'state',
    source_gadget_id: reader.gadgetId,
    source_state_id: 'unlocked',
    target_gadget_id: owner.gadgetId,
    target_action_id: 'open',
  });
  await reader.caughtUp();
  await owner.caughtUp();
  await hotel.client.done('POST', `/gadgets/${reader.gadgetId}/actions/open`, {});
  await untilUnlocked();
  await owner.reported();
  expect(await uses()).toMatchObject([{ object: { gadget_trigger_id: expect.stringMatching(/^gt_/) } }]);
});
