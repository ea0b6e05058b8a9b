import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callAsOwner } from '../../support/bridge/admin-client.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { FirmwareSite, type FirmwareController } from '../../support/devices/firmware-site.ts';
import { door } from '../../support/bridge/site-fixtures.ts';

let bridge: TestBridge;
let site: FirmwareSite;
let reader: FirmwareController;
let owner: FirmwareController;
let member: string;
beforeAll(async () => {
  bridge = await TestBridge.open({ isTicking: true });
  return () => bridge.close();
});
beforeEach(async () => {
  site = await FirmwareSite.open(bridge);
  reader = await site.claimController([
    { ...door, states: [{ id: 'locked', name: 'Locked' }, ...(door.states ?? [])] },
  ]);
  owner = await site.claimController();
  const input_rules = [{ code: '*7', gadget_id: owner.gadgetId, action_id: 'open' }] as never;
  await callAsOwner(bridge, site.client, 'PUT', `/devices/${reader.deviceId}/input_rules`, { input_rules });
  member = await site.createMember(await site.createGroup(owner.gadgetId), { pin: '2580' });
  for (const controller of [reader, owner]) {
    controller.start();
    await controller.waitUntilSynced();
  }
  await reader.waitUntilSynced();
});
afterEach(() => site.close());

const type = (keys: string): void => reader.running.keypad.press(keys);
const uses = () => site.events(`verb=use&object.gadget_id=${owner.gadgetId}`);
const waitUntilUnlocked = async (): Promise<void> => {
  await expect.poll(() => owner.isUnlocked).toBe(true);
};

describe('request to a peer controller', () => {
  it('opens the door of another controller for a PIN, with one event that names member and reader', async () => {
    type('*72580');
    await waitUntilUnlocked();
    await owner.waitUntilEventsUploaded();
    await reader.waitUntilEventsUploaded();
    expect(await uses()).toMatchObject([{ subject: { member_id: member, device_id: reader.deviceId } }]);
  });

  it('opens several times in a row, with one event each', async () => {
    for (let time = 0; time < 3; time++) {
      type('*72580');
      await expect.poll(() => owner.recorded.filter(({ kind }) => kind === 'use')).toHaveLength(time + 1);
    }
    await owner.waitUntilEventsUploaded();
    expect(await uses()).toHaveLength(3);
  });

  it('is denied when the snapshot of the owner does not have the member', async () => {
    await site.client.callOk('DELETE', `/members/${member}`);
    await owner.waitUntilSynced();
    const performed = owner.running.controller.executeForPeer(
      { reader_device_id: reader.deviceId as never, peer_request: '' },
      { gadget_id: owner.gadgetId as never, action_id: 'open' },
      { id: member as never, access_method: 'pin', subject: { member_id: member as never, access_method: 'pin' } },
    );
    expect(performed).toMatchObject({ outcome: 'denied' });
    expect(owner.isUnlocked).toBe(false);
  });

  it('records a fault when the owner is offline, and nothing opens when it is back', async () => {
    await owner.stop();
    type('*72580');
    await expect.poll(() => reader.recorded.map(({ fault }) => fault)).toContain('gadget_unreachable');
    owner.start();
    await owner.waitUntilSynced();
    expect(owner.isUnlocked).toBe(false);
    expect(await uses()).toEqual([]);
  });

  it('is not a local path for gadget triggers, because it goes through the bridge', async () => {
    const response = await site.client.call('POST', '/gadget_triggers', {
      source_type: 'state',
      source_gadget_id: reader.gadgetId,
      source_state_id: 'unlocked',
      target_gadget_id: owner.gadgetId,
      target_action_id: 'open',
    });
    expect(response).toMatchObject({ status: 400, body: { args: { field: 'target_gadget_id' } } });
  });
});
