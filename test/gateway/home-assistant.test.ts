import type { GatewayOptions, RunningGateway } from '@lintel/gateway/main';
import type { CreateGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isPresent, requireProgram } from '../support/require-program.ts';
import { callAsOwner } from '../support/bridge/admin-client.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { claimGateway, removeGatewayData, startGateway } from '../support/devices/claim-and-start-gateway.ts';
import { type FirmwareController, FirmwareSite } from '../support/devices/firmware-site.ts';
import { HomeAssistantClient } from '../support/devices/home-assistant-client.ts';
import { FaultyTcpProxy } from '../support/faults/faulty-tcp-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type MosquittoProcess, mosquitto, startMosquitto } from '../support/processes/mosquitto.ts';

const named = (...ids: readonly string[]) => ids.map(id => ({ id, name: id }));
const room: CreateGadgetRequest = {
  name: 'Room 1',
  actions: named('open'),
  states: named('locked', 'unlocked', 'open', 'held_open', 'forced'),
  signals: [],
};
const gate: CreateGadgetRequest = { name: 'Gate', actions: named('open'), states: [], signals: [] };
const login = { user: 'lintel', password: 'a password' };
const PIN = '2580';

describe('Home Assistant discovery', () => {
  let bridge: TestBridge;
  let broker: MosquittoProcess;
  let site: FirmwareSite;
  let link: FaultyTcpProxy;
  let gatewayDir: string;
  let gateway: RunningGateway;
  let first: FirmwareController;
  let second: FirmwareController;
  let homeAssistant: HomeAssistantClient;

  const start = (options: Partial<GatewayOptions['homeAssistant']> = {}): Promise<RunningGateway> => {
    const url = broker.url.replace('//', `//${login.user}@`);
    const { password } = login;
    return startGateway(bridge, gatewayDir, link.url, {
      homeAssistant: { url, password, authorities: [], discoveryPrefix: 'homeassistant', ...options },
    });
  };
  const connect = () => HomeAssistantClient.connect(broker.url, { username: login.user, password: login.password });
  const startControllers = async (): Promise<void> => {
    for (const controller of [first, second]) {
      controller.start(gateway.addresses().mqtt);
      await controller.waitUntilSynced();
    }
  };
  const readingsOf = (key: string) => homeAssistant.stateOf(first.deviceId, `${first.gadgetId}_${key}`);

  beforeAll(async () => {
    if (!isPresent(mosquitto)) return;
    bridge = await TestBridge.open({ isTicking: true });
    return () => bridge.close();
  });

  beforeEach(async context => {
    requireProgram(context, mosquitto);
    broker = await startMosquitto({ login });
    site = await FirmwareSite.open(bridge);
    link = await FaultyTcpProxy.to(site.url);
    first = await site.claimController([room]);
    second = await site.claimController([gate]);
    await site.createMember(await site.createGroup(first.gadgetId, second.gadgetId), { pin: PIN });
    gatewayDir = await claimGateway(bridge, site.client, site.siteId);
    gateway = await start();
    homeAssistant = await connect();
    await startControllers();
    await waitUntil(
      () => homeAssistant.isAvailable(second.deviceId) && readingsOf('state') === 'locked',
      () => 'the controllers in Home Assistant',
    );
  });

  afterEach(async () => {
    await homeAssistant.close();
    await site.close();
    await gateway.stop();
    link.close();
    await broker.stop();
    removeGatewayData(gatewayDir);
  });

  it('describes the gateway, its controllers and their gadgets', async () => {
    const gatewayId = gateway.deviceId()!;
    expect(homeAssistant.discovery(gatewayId)).toMatchObject({
      device: { identifiers: [`lintel_${gatewayId}`], name: 'Gateway', model: 'Gateway' },
      components: { [`${gatewayId}_bridge`]: { device_class: 'connectivity' } },
    });
    await expect.poll(() => homeAssistant.discovery(first.deviceId)?.device.sw_version).toBe('test');
    const { device, components } = homeAssistant.discovery(first.deviceId)!;
    expect(device).toMatchObject({ name: 'Front', model: 'virtual', via_device: `lintel_${gatewayId}` });
    const entities = Object.entries(components).map(([id, component]) => [
      id,
      component.platform,
      'device_class' in component ? component.device_class : null,
    ]);
    expect(entities).toEqual([
      [`${first.deviceId}_connection`, 'binary_sensor', 'connectivity'],
      [`${first.deviceId}_problem`, 'binary_sensor', 'problem'],
      [`${first.deviceId}_reader`, 'event', null],
      [`${first.gadgetId}_lock`, 'binary_sensor', 'lock'],
      [`${first.gadgetId}_door`, 'binary_sensor', 'door'],
      [`${first.gadgetId}_state`, 'sensor', 'enum'],
      [`${first.gadgetId}_access`, 'event', null],
    ]);
    const gateEntities = Object.keys(homeAssistant.discovery(second.deviceId)!.components);
    expect(gateEntities.filter(id => id.startsWith(second.gadgetId))).toEqual([`${second.gadgetId}_access`]);
  });

  it('follows a door that is unlocked, opened and closed, with the event of the access', async () => {
    expect([readingsOf('lock'), readingsOf('door')]).toEqual(['OFF', 'OFF']);
    first.running.keypad.press(`${PIN}#`);
    await expect.poll(() => readingsOf('lock')).toBe('ON');
    expect(readingsOf('door')).toBe('OFF');
    first.running.inputs.set('contact-0', 'active');
    await expect.poll(() => readingsOf('door')).toBe('ON');
    expect(readingsOf('state')).toBe('open');
    first.running.inputs.set('contact-0', 'inactive');
    await expect.poll(() => [readingsOf('lock'), readingsOf('door')]).toEqual(['OFF', 'OFF']);
    expect(homeAssistant.events).toEqual([
      {
        topic: expect.stringContaining(`/${first.gadgetId}/event`),
        payload: {
          event_type: 'granted',
          action: 'open',
          method: 'pin',
          reason: null,
          occurred_at: expect.any(String),
        },
      },
    ]);
  });

  it('reports a denial without the credential', { tags: ['slow'] }, async () => {
    first.running.keypad.press('9999#');
    await expect.poll(() => homeAssistant.events).toHaveLength(1);
    expect(homeAssistant.events[0]!.payload).toMatchObject({
      event_type: 'denied',
      method: 'pin',
      reason: 'unknown_credential',
    });
  });

  it('follows doors while the bridge is not reachable', { tags: ['slow'] }, async () => {
    link.cut();
    const bridgeLink = () => homeAssistant.stateOf(gateway.deviceId()!, `${gateway.deviceId()!}_bridge`);
    await expect.poll(bridgeLink).toBe('offline');
    await expect.poll(() => first.isOnline).toBe(false);
    first.running.keypad.press(`${PIN}#`);
    await expect.poll(() => readingsOf('lock')).toBe('ON');
    await expect.poll(() => homeAssistant.events).toHaveLength(1);
    link.restore();
    await expect.poll(bridgeLink).toBe('online');
    await first.waitUntilEventsUploaded();
    expect(homeAssistant.events).toHaveLength(1);
  });

  it('reports faults, and a tamper switch once it was used', { tags: ['slow'] }, async () => {
    const tamper = () => homeAssistant.stateOf(first.deviceId, `${first.deviceId}_tamper`);
    const problem = () => homeAssistant.stateOf(first.deviceId, `${first.deviceId}_problem`);
    await expect.poll(problem).toBe('OFF');
    expect(tamper()).toBeUndefined();
    first.running.inputs.set('tamper', 'active');
    await expect.poll(tamper).toBe('ON');
    expect(problem()).toBe('ON');
    first.running.inputs.set('tamper', 'inactive');
    await expect.poll(tamper).toBe('OFF');
    await gateway.stop();
    const before = homeAssistant.documents.length;
    gateway = await start();
    const latest = () =>
      homeAssistant.documents.slice(before).findLast(({ topic }) => topic.includes(first.deviceId))?.document;
    await expect.poll(() => latest()?.components).toHaveProperty(`${first.deviceId}_tamper`);
  });

  it('marks a controller that disconnects, and everything when the gateway stops', { tags: ['slow'] }, async () => {
    const connection = () => homeAssistant.stateOf(second.deviceId, `${second.deviceId}_connection`);
    expect(connection()).toBe('online');
    await second.stop();
    await expect.poll(connection).toBe('offline');
    expect(homeAssistant.isAvailable(first.deviceId)).toBe(true);
    await gateway.stop();
    await expect.poll(() => homeAssistant.isAvailable(first.deviceId)).toBe(false);
    expect(homeAssistant.discovery(first.deviceId)).toBeDefined();
  });

  it('removes a controller that leaves the site, and entities of a deleted gadget', { tags: ['slow'] }, async () => {
    await callAsOwner(bridge, site.client, 'DELETE', `/devices/${second.deviceId}`);
    await expect.poll(() => homeAssistant.discovery(second.deviceId)).toBeUndefined();
    const leftOver = () => [...homeAssistant.messages.keys()].filter(topic => topic.includes(second.deviceId));
    await expect.poll(leftOver).toEqual([]);
    await callAsOwner(bridge, site.client, 'DELETE', `/gadgets/${first.gadgetId}`);
    await expect
      .poll(() => Object.keys(homeAssistant.discovery(first.deviceId)!.components))
      .not.toContain(`${first.gadgetId}_lock`);
    expect(homeAssistant.documents.map(({ document }) => document.components[`${first.gadgetId}_lock`])).toContainEqual(
      {
        platform: 'binary_sensor',
      },
    );
  });

  it('removes a controller that left the site while the gateway was off', { tags: ['slow'] }, async () => {
    await gateway.stop();
    await second.stop();
    await callAsOwner(bridge, site.client, 'DELETE', `/devices/${second.deviceId}`);
    expect(homeAssistant.discovery(second.deviceId)).toBeDefined();
    gateway = await start();
    await expect.poll(() => homeAssistant.discovery(second.deviceId)).toBeUndefined();
  });

  it('publishes everything again after a restart of the broker, and reports the outage as a fault', {
    tags: ['slow'],
  }, async () => {
    await broker.halt('SIGKILL');
    const faults = () => gateway.status().faults.map(({ code }) => code);
    await expect.poll(faults).toContain('home_assistant');
    first.running.inputs.set('contact-0', 'active');
    await homeAssistant.close();
    await broker.resume();
    homeAssistant = await connect();
    await expect.poll(() => readingsOf('door')).toBe('ON');
    await expect.poll(faults).not.toContain('home_assistant');
  });

  it('accepts no commands', async () => {
    const lock = homeAssistant.discovery(first.deviceId)!.components[`${first.gadgetId}_lock`]!;
    expect(Object.keys(lock)).not.toContain('command_topic');
    const topic = `lintel/home-assistant/${gateway.deviceId()!}/${first.gadgetId}`;
    for (const name of ['state', 'set', 'command']) await homeAssistant.publish(`${topic}/${name}`, 'UNLOCK');
    first.running.inputs.set('contact-0', 'active');
    await expect.poll(() => homeAssistant.messages.get(`${topic}/state`)).toContain('forced');
    expect(first.isUnlocked).toBe(false);
  });
});
