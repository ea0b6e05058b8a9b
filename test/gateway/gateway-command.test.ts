import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { instant } from '@lintel/access-core/instant';
import type { GatewayStatusDocument } from '@lintel/gateway/status/status-document-types';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { claimGateway, removeGatewayData, startGateway } from '../support/devices/claim-and-start-gateway.ts';
import { issueTicket } from '../support/devices/controller-identity.ts';
import { ControllerSite } from '../support/devices/controller-site.ts';
import { FaultyTcpProxy } from '../support/faults/faulty-tcp-proxy.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';
import { runLintel, spawnLintel } from '../support/processes/lintel-command.ts';

const profile = join(import.meta.dirname, '../../hardware-profiles/profiles/gateway.json');
/** Reserved for documentation: no machine has it. */
const FOREIGN = { host: '203.0.113.5', port: 8883 };

const statusOf = async (dataDir: string) => {
  const { code, stdout } = await runLintel('gateway', 'status', '--data', dataDir, '--json');
  return code === 0 ? (JSON.parse(stdout) as GatewayStatusDocument) : null;
};

/** The common name of the certificate at the address; null when the connection is closed without a handshake. */
const certificateNameAt = (url: string): Promise<string | null> =>
  new Promise(resolve => {
    const socket = connectTls({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false });
    socket.once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.once('error', () => resolve(null));
    socket.once('close', () => resolve(null));
  });

describe('lintel gateway', () => {
  let bridge: TestBridge;
  let dataDir: string;
  let gateway: GatewayProcess | null = null;

  beforeAll(async () => {
    bridge = await TestBridge.open({ isTicking: true });
    // The gateway process has the machine's clock.
    bridge.now = instant(Date.now());
  });
  afterAll(() => bridge.close());

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'lintel-gateway-'));
  });
  afterEach(async () => {
    await gateway?.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('is claimed while it runs, forwards events also after SIGKILL, and exits with 0 on SIGTERM', async () => {
    const site = await ControllerSite.open(bridge);
    const { controller, client, siteId } = site;
    const link = await FaultyTcpProxy.to(site.url);
    bridge.devices.brokerAddresses = { mqtts: null, mqtt: link.url };
    const url = await bridge.listen('127.0.0.1', 0);

    gateway = await GatewayProcess.start(dataDir, { more: ['--tunnel-port', '0'] });
    const { ready: _, device_id: __, ...addresses } = gateway.ready as GatewayProcess['ready'] & { ready: boolean };
    expect(gateway.ready).toEqual({
      ready: true,
      mqtts: expect.stringMatching(/^mqtts:\/\/127\.0\.0\.1:[1-9]\d+$/),
      mqtt: expect.stringMatching(/^mqtt:\/\/127\.0\.0\.1:[1-9]\d+$/),
      tunnel: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/),
      status: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/),
      device_id: null,
    });
    expect((await statusOf(dataDir))?.addresses).toEqual(addresses);
    expect(await certificateNameAt(addresses.mqtts)).toBeNull();

    const { code } = await issueTicket(bridge, client, { site_id: siteId as never });
    const enroll = ['--data', dataDir, '--bridge', url, '--code', code, '--profile', profile, '--name', 'Gateway'];
    expect(await runLintel('enroll', ...enroll)).toMatchObject({ code: 0 });
    const isListed = async () =>
      (await statusOf(dataDir))?.controllers.some(({ device_id }) => device_id === controller.deviceId);
    await expect.poll(isListed).toBe(true);
    const status = await statusOf(dataDir);
    expect(status).toMatchObject({ addresses, upstream: { connected: true } });
    expect(await certificateNameAt(addresses.mqtts)).toBe(status?.device_id);

    await controller.start(addresses.mqtt);
    link.cut();
    await controller.waitUntil(
      () => controller.messagesOf('bridge-link').at(-1)?.online === false,
      'the link to be down',
    );
    const events = Array.from({ length: 3 }, () => controller.event({ kind: 'fault', fault: 'test' }));
    await controller.send('events', { v: 1, events });
    await expect.poll(async () => (await statusOf(dataDir))?.traffic.offline).toBeGreaterThan(0);
    await gateway.stop('SIGKILL');
    await controller.stop();

    gateway = await GatewayProcess.start(dataDir, { upstream: link.url });
    expect(gateway.ready.device_id).toBe(status?.device_id);
    link.restore();
    await expect.poll(async () => (await statusOf(dataDir))?.upstream.connected, { timeout: 20_000 }).toBe(true);
    await controller.start(gateway.ready.mqtt);
    const acknowledged = controller.next('ack');
    await controller.send('events', { v: 1, events });
    await acknowledged;
    await controller.stop();
    const { data } = await client.callOk('GET', `/events?object.device_id=${controller.deviceId}`);
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(events.map(({ id }) => id)));

    expect(await gateway.stop()).toBe(0);
    expect(gateway.log()).not.toMatch(/PRIVATE KEY/);
    expect(await statusOf(dataDir)).toBeNull();
    link.close();
  });

  it('exits with 1 and one sentence when it cannot listen on the address', async () => {
    const listen = ['--listen', `${FOREIGN.host}:${FOREIGN.port}`, '--no-mdns'];
    expect(await spawnLintel('gateway', '--data', dataDir, ...listen)).toEqual({
      code: 1,
      stdout: '',
      stderr: '203.0.113.5:8883 is not an address of this machine.\n',
    });
  });

  it('does not start on a foreign address after it is claimed either', async () => {
    const { client, siteId } = await ControllerSite.open(bridge);
    const claimed = await claimGateway(bridge, client, siteId);
    const started = startGateway(bridge, claimed, 'mqtt://127.0.0.1:1', { listen: FOREIGN });
    await expect(started).rejects.toThrow('203.0.113.5:8883 is not an address of this machine');
    removeGatewayData(claimed);
  });

  it('exits with 2 and the reason when an option is invalid', async () => {
    const { code, stderr } = await runLintel('gateway', '--data', tmpdir(), '--listen', 'nowhere');
    expect([code, stderr.split('\n')[0]]).toEqual([2, '--listen must be an address such as 0.0.0.0:8883 or [::]:8883']);
  });
});

describe('lintel gateway status', () => {
  it('exits with 1 when no gateway runs with the data folder', async () => {
    expect((await runLintel('gateway', 'status', '--data', join(tmpdir(), 'nothing-here'))).code).toBe(1);
  });
});
