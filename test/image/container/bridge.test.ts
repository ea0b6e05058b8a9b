import { describe, expect, it, afterAll, beforeAll } from 'vitest';
import { findFreePort } from '../../support/find-free-port.ts';
import { startBeforeTests, testRestrictions } from './container-suite.ts';
import { TestContainer } from './test-container.ts';
import { instant } from '@lintel/access-core/instant';
import type { GatewayStatusDocument } from '@lintel/gateway/status/status-document-types';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { issueTicket } from '../../support/devices/controller-identity.ts';
import { ControllerSite } from '../../support/devices/controller-site.ts';

describe('container image of the bridge', () => {
  let url: string;

  const container = startBeforeTests(async () => {
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    return TestContainer.start('bridge', { LINTEL_HTTP_PORT: String(port), LINTEL_MQTT_PORT: '0' });
  });

  const statusOf = (path: string): Promise<number> =>
    fetch(`${url}${path}`).then(
      ({ status }) => status,
      () => 0,
    );

  it('becomes ready and healthy, and serves the API', async () => {
    await expect.poll(() => statusOf('/readyz')).toBe(200);
    expect(await statusOf('/v2/openapi.json')).toBe(200);
    expect(await container().isHealthy()).toBe(true);
  });

  testRestrictions(container);
});

describe('container image of the gateway', () => {
  let bridge: TestBridge;
  let site: ControllerSite;
  let mqttUrl: string;

  beforeAll(async () => {
    bridge = await TestBridge.open({ isTicking: true });
    // The gateway has the clock of the machine.
    bridge.now = instant(Date.now());
    site = await ControllerSite.open(bridge);
    bridge.devices.brokerAddresses = { mqtts: null, mqtt: site.url };
  });
  afterAll(() => bridge.close());

  const container = startBeforeTests(async () => {
    const [port, statusPort, mqttPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
    mqttUrl = `mqtt://127.0.0.1:${mqttPort}`;
    return TestContainer.start('gateway', {
      LINTEL_LISTEN: `127.0.0.1:${port}`,
      LINTEL_STATUS_PORT: String(statusPort),
      LINTEL_MQTT_PORT: String(mqttPort),
    });
  });

  const readStatus = async (): Promise<GatewayStatusDocument | null> =>
    container()
      .run('lintel-gateway', 'gateway', 'status', '--data', '/data', '--json')
      .then(
        text => JSON.parse(text) as GatewayStatusDocument,
        () => null,
      );

  it('is healthy while it waits for its claim', async () => {
    await expect.poll(async () => (await readStatus())?.claimed).toBe(false);
    expect(await container().isHealthy()).toBe(true);
  });

  it('is claimed by a command, and connects controllers to the bridge', async () => {
    const { client, siteId, controller } = site;
    const { code } = await issueTicket(bridge, client, { site_id: siteId as never });
    const url = await bridge.listen('127.0.0.1', 0);
    const claim = ['--data', '/data', '--bridge', url, '--code', code, '--profile', 'gateway'];
    await container().run('lintel-gateway', 'enroll', ...claim);
    const isListed = async () =>
      (await readStatus())?.controllers.some(({ device_id }) => device_id === controller.deviceId);
    await expect.poll(isListed).toBe(true);
    await controller.start(mqttUrl);
    const event = controller.event({ kind: 'fault', fault: 'test' });
    await controller.send('events', { v: 1, events: [event] });
    await expect.poll(async () => (await client.get(`/events/${event.id}`)).status).toBe(200);
    expect(await container().isHealthy()).toBe(true);
    await controller.stop();
  });

  testRestrictions(container);
});
