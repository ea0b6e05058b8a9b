import { generateKeyPairSync, sign } from 'node:crypto';
import type { TechnicianServer } from '@lintel/device-runtime/testing';
import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { encodeSignedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { buildDownlinkTopic, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { RemoteTechnicianClient, serveTechnicianPage } from '../support/technician/remote-technician-client.ts';
import { type FirmwareController, FirmwareSite } from '../support/devices/firmware-site.ts';
import { HostileBroker } from '../support/devices/hostile-broker.ts';
import { AdvanceableClock } from '../support/devices/advanceable-clock.ts';
import { ManualTimers } from '../support/manual-timers.ts';

/** Longer than the deadline and the time that the controller allows for travel. */
const TOO_LATE_SECONDS = 20;

const clock = new AdvanceableClock();
const timers = new ManualTimers();
let broker: HostileBroker;
let bridge: TestBridge;
let site: FirmwareSite;
let door: FirmwareController;
let page: TechnicianServer;
let remote: RemoteTechnicianClient;

beforeAll(async () => {
  broker = await HostileBroker.start();
  bridge = await TestBridge.open({ isTicking: true, mqttUrl: broker.url, timers });
});
afterAll(async () => {
  await bridge.close();
  await broker.close();
});
beforeEach(async () => {
  broker.reset();
  site = await FirmwareSite.open(bridge, { url: broker.url });
  door = await site.claimController();
  remote = new RemoteTechnicianClient(
    await openAdminSession(bridge, site.client.organizationId, 'owner'),
    door.deviceId,
  );
  door.start(undefined, { clock });
  page = await serveTechnicianPage(door);
  await door.waitUntilSynced();
});
afterEach(async () => {
  await page.stop();
  await site.close();
});

const open = () => remote.call('POST', `/gadgets/${door.gadgetId}/actions/open`, {});
const useEvents = (): number => door.recorded.filter(({ kind }) => kind === 'use').length;
/** Waits until the controller has processed all earlier messages. */
const waitUntilProcessed = async (): Promise<void> => {
  broker.stopWithholding();
  await door.waitUntilSessionOpened();
  await expect.poll(async () => (await remote.call('GET', '/status')).status).toBe(200);
};

describe('remote technician over a hostile broker', () => {
  it('executes a replayed request once, in its session and in the next', async () => {
    expect((await open()).status).toBe(200);
    const requests = broker.messagesOf('technician');
    await broker.replay(requests);
    await waitUntilProcessed();
    await page.stop();
    await door.stop();
    door.start(undefined, { clock });
    page = await serveTechnicianPage(door);
    await waitUntilProcessed();
    await broker.replay(requests);
    await waitUntilProcessed();
    expect(useEvents()).toBe(1);
  });

  it('rejects a request that was withheld beyond its deadline', { tags: ['slow'] }, async () => {
    await waitUntilProcessed();
    const before = broker.messagesOf('technician').length;
    broker.withhold('technician');
    const response = open();
    await expect.poll(() => broker.messagesOf('technician').length).toBeGreaterThan(before);
    await timers.fire();
    expect((await response).status).toBe(503);
    const kept = broker.messagesOf('technician').slice(-1);
    bridge.advanceSeconds(TOO_LATE_SECONDS);
    clock.advanceSeconds(TOO_LATE_SECONDS);
    broker.stopWithholding();
    await broker.replay(kept);
    await waitUntilProcessed();
    expect(useEvents()).toBe(0);
  });

  it('drops a request that the organization has not signed', async () => {
    const attacker = generateKeyPairSync('ed25519').privateKey;
    const { serial } = door.running.enrollment()!;
    const nonce = 'AAECAwQFBgcICQoLDA0ODw';
    const asked = { request_id: 'x', session_nonce: nonce, deadline_ms: 5_000, user_id: null, body: '{}' } as const;
    const message = {
      v: 1,
      sent_at: bridge.now,
      ...asked,
      operation: 'run_action',
      parameters: { gadget_id: door.gadgetId, action_id: 'open' },
      query: {},
    } as const;
    const header = { v: 1, kind: 'technician', signer: site.client.organizationId, audience: door.deviceId } as const;
    const frame = encodeSignedFrame(
      { ...header, serial, counter: 100_000, encoding: 'identity' },
      encodeMqttMessage('technician', message),
      bytes => sign(null, bytes, attacker),
    );
    const { dropped } = door.running.upstream()!;
    await broker.publish(buildDownlinkTopic(door.deviceId as never, 'technician'), frame);
    await expect.poll(() => door.running.upstream()!.dropped).toBe(dropped + 1);
    expect(useEvents()).toBe(0);
  });

  it('ignores a response that the controller has not signed', async () => {
    broker.withhold('technician-answer');
    const before = broker.messagesOf('technician-answer').length;
    const asked = remote.call('GET', '/health');
    await expect.poll(() => broker.messagesOf('technician-answer').length).toBeGreaterThan(before);
    const [real] = broker.messagesOf('technician-answer').slice(-1);
    broker.stopWithholding();
    const changed = Buffer.from(real!.payload);
    const at = changed.length - 40;
    changed[at] = changed[at]! ^ 1;
    const { droppedMessages } = bridge.devices;
    await broker.publish(buildUplinkTopic(door.deviceId as never, 'technician-answer'), changed);
    await expect.poll(() => bridge.devices.droppedMessages).toBe(droppedMessages + 1);
    await timers.fire();
    expect((await asked).status).toBe(503);
  });

  it('streams a replayed live message once', async () => {
    const url = await bridge.bridge.listen('127.0.0.1', 0);
    const live = await remote.live(url);
    door.running.reader.tap('04a1b2c3d4e5f6');
    await expect.poll(() => live.messages.some(({ type }) => type === 'card')).toBe(true);
    await broker.replay(broker.messagesOf('technician-live'));
    door.running.keypad.press('1');
    await expect.poll(() => live.messages.some(({ type }) => type === 'key')).toBe(true);
    expect(live.messages.filter(({ type }) => type === 'card')).toHaveLength(1);
    live.stop();
  });
});
