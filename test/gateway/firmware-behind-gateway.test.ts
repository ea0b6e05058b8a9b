import type { RunningGateway } from '@lintel/gateway/main';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callAsOwner } from '../support/bridge/admin-client.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { FirmwareSite, type FirmwareController } from '../support/devices/firmware-site.ts';
import { FaultyTcpProxy } from '../support/faults/faulty-tcp-proxy.ts';
import { claimGateway, removeGatewayData, startGateway } from '../support/devices/claim-and-start-gateway.ts';

let bridge: TestBridge;
let site: FirmwareSite;
let link: FaultyTcpProxy;
let gatewayDir: string;
let gateway: RunningGateway;
let reader: FirmwareController;
let owner: FirmwareController;
let member: string;

beforeAll(async () => {
  bridge = await TestBridge.open({ isTicking: true });
  return () => bridge.close();
});
beforeEach(async () => {
  site = await FirmwareSite.open(bridge);
  link = await FaultyTcpProxy.to(site.url);
  reader = await site.claimController();
  owner = await site.claimController();
  const input_rules = [
    { code: '', gadget_id: reader.gadgetId, action_id: 'open' },
    { code: '*7', gadget_id: owner.gadgetId, action_id: 'open' },
  ] as never;
  await callAsOwner(bridge, site.client, 'PUT', `/devices/${reader.deviceId}/input_rules`, { input_rules });
  const group = await site.createGroup(reader.gadgetId, owner.gadgetId);
  member = await site.createMember(group, { pin: '2580', uid: '04a1b2c3d4e5f6' });
  gatewayDir = await claimGateway(bridge, site.client, site.siteId);
  gateway = await startGateway(bridge, gatewayDir, link.url);
  for (const door of [reader, owner]) {
    door.start(gateway.addresses().mqtt);
    await door.waitUntilSynced();
  }
});
afterEach(async () => {
  await site.close();
  await gateway.stop();
  link.close();
  removeGatewayData(gatewayDir);
});

const waitUntilOnline = async (door: FirmwareController, isOnline: boolean): Promise<void> => {
  await expect.poll(() => door.isOnline).toBe(isOnline);
};
const uses = (door: FirmwareController) => site.events(`verb=use&object.gadget_id=${door.gadgetId}`);

describe('firmware behind a gateway', () => {
  it('gets changes and actions through the gateway', async () => {
    expect((await site.client.call('POST', `/gadgets/${owner.gadgetId}/actions/open`, {})).status).toBe(200);
    expect(owner.isUnlocked).toBe(true);
    await site.client.callOk('DELETE', `/members/${member}`);
    const tapCard = () => {
      reader.running.reader.tap('04a1b2c3d4e5f6');
      return reader.recorded.at(-1)?.kind;
    };
    await expect.poll(tapCard).toBe('deny');
  });

  it('opens the door of another controller without the bridge, and each event is uploaded once later', async () => {
    link.cut();
    await waitUntilOnline(reader, false);
    await waitUntilOnline(owner, false);
    reader.running.keypad.press('*72580');
    await expect.poll(() => owner.isUnlocked).toBe(true);
    for (let tap = 0; tap < 10; tap++) reader.running.reader.tap('04a1b2c3d4e5f6');
    link.restore();
    await waitUntilOnline(reader, true);
    await waitUntilOnline(owner, true);
    await reader.waitUntilEventsUploaded();
    await owner.waitUntilEventsUploaded();
    expect(await uses(owner)).toMatchObject([{ subject: { member_id: member, device_id: reader.deviceId } }]);
    expect(await uses(reader)).toHaveLength(10);
  });

  it('opens the door after a restart without the bridge, and syncs when the link is back', async () => {
    link.cut();
    await waitUntilOnline(reader, false);
    await reader.stop();
    await site.client.callOk('DELETE', `/members/${member}`);
    reader.start(gateway.addresses().mqtt);
    reader.running.reader.tap('04a1b2c3d4e5f6');
    expect(reader.isUnlocked).toBe(true);
    await waitUntilOnline(reader, false);
    link.restore();
    await reader.waitUntilSynced();
    reader.running.reader.tap('04a1b2c3d4e5f6');
    expect(reader.recorded.findLast(({ kind }) => kind === 'use' || kind === 'deny')?.kind).toBe('deny');
  });
});
