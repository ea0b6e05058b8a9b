import type { RunningGateway } from '@lintel/gateway/main';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { claimGateway, removeGatewayData, startGateway } from '../support/devices/claim-and-start-gateway.ts';
import { claimController, ControllerSite } from '../support/devices/controller-site.ts';
import { HomeAssistantClient } from '../support/devices/home-assistant-client.ts';
import type { TestController } from '../support/devices/test-controller.ts';
import { type MosquittoProcess, mosquitto, startMosquitto } from '../support/processes/mosquitto.ts';
import { requireProgram } from '../support/require-program.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('messages of a controller about gadgets of another one', () => {
  let bridge: TestBridge;
  let broker: MosquittoProcess;
  let site: ControllerSite;
  let thief: TestController;
  let gatewayDir: string;
  let gateway: RunningGateway;
  let homeAssistant: HomeAssistantClient;

  beforeEach(async context => {
    requireProgram(context, mosquitto);
    bridge = await TestBridge.open();
    broker = await startMosquitto();
    site = await ControllerSite.open(bridge);
    thief = await claimController(bridge, site.client, site.siteId);
    gatewayDir = await claimGateway(bridge, site.client, site.siteId);
    gateway = await startGateway(bridge, gatewayDir, site.url, {
      homeAssistant: { url: broker.url, password: null, authorities: [], discoveryPrefix: 'homeassistant' },
    });
    homeAssistant = await HomeAssistantClient.connect(broker.url);
    await waitUntil(
      () => gateway.status().controllers.length === 2,
      () => 'the gateway to list the controllers',
    );
    for (const controller of [site.controller, thief]) await controller.start(gateway.addresses().mqtt!);
    await waitUntil(
      () => homeAssistant.isAvailable(thief.deviceId),
      () => 'the controllers in Home Assistant',
    );
  });
  afterEach(async () => {
    await homeAssistant.close();
    await thief.stop();
    await site.controller.stop();
    await gateway.stop();
    await broker.stop();
    await bridge.close();
    removeGatewayData(gatewayDir);
  });

  it('are not shown, except denials at its own reader', async () => {
    const door = { gadget_id: site.gadgetId, gadget_action_id: 'open' };
    const stateOf = () => homeAssistant.stateOf(site.controller.deviceId, `${site.gadgetId}_state`);
    const before = stateOf();
    const gadgets = [{ gadget_id: site.gadgetId, state_id: 'unlocked', since: bridge.now }];
    await thief.send('state', { v: 1, gadgets } as never);
    const events = [
      thief.event({ kind: 'use', ...door } as never),
      thief.event({ kind: 'state', ...door, gadget_state_id: 'unlocked' } as never),
      thief.event({ kind: 'deny', ...door, reason: 'no_matching_rule' } as never),
    ];
    await thief.send('events', { v: 1, events });
    await expect.poll(() => homeAssistant.events).toHaveLength(1);
    expect(homeAssistant.events).toMatchObject([
      { topic: expect.stringContaining(`/${thief.deviceId}/event`), payload: { event_type: 'denied' } },
    ]);
    const own = site.controller.event({ kind: 'use', ...door } as never);
    await site.controller.send('events', { v: 1, events: [own] });
    await expect.poll(() => homeAssistant.events).toHaveLength(2);
    expect(homeAssistant.events[1]!.topic).toContain(`/${site.gadgetId}/event`);
    expect(stateOf()).toBe(before);
    await site.controller.send('state', { v: 1, gadgets } as never);
    await expect.poll(stateOf).toBe('unlocked');
  });
});
