import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { instant } from '@lintel/access-core/instant';
import { requestClaimRedemption } from '@lintel/device-link/identity/claim-client';
import { openTlsSocket } from '@lintel/device-link/tls/open-socket';
import { openProxyTunnel } from '@lintel/device-link/tls/proxy-tunnel';
import { readPresentedCertificates } from '@lintel/crypto/tls/certificate-chain';
import type { RunningGateway } from '@lintel/gateway/main';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestOrganizationClient } from '../support/bridge/test-bridge.ts';
import { issueTicket } from '../support/devices/controller-identity.ts';
import { virtualDoor, LinkedDevice } from '../support/devices/linked-device.ts';
import { createTestSite } from '../support/bridge/site-fixtures.ts';
import { claimGateway, removeGatewayData, startGateway } from '../support/devices/claim-and-start-gateway.ts';
import { TlsBridge } from '../support/bridge/tls-bridge.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Far from the system clock. */
const NOW = instant(Date.parse('2041-03-01T10:00:00Z'));

/** A proxy that forwards every CONNECT to the port, whatever its target. */
const startProxy = async (port: number): Promise<{ readonly server: Server; readonly url: string }> => {
  const server = createServer();
  server.on('connect', (_, client) => {
    const bridge = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(bridge).pipe(client);
    });
    bridge.on('error', () => client.destroy());
    client.on('error', () => bridge.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
};

let bridge: TlsBridge;
let client: TestOrganizationClient;
let siteId: string;

beforeAll(async () => {
  bridge = await TlsBridge.open(NOW);
  client = await bridge.bridge.newOrganization();
  return () => bridge.close();
});

beforeEach(async () => {
  siteId = await createTestSite(bridge.bridge, client);
});

describe('gateway with a system clock at 1970', () => {
  let dataDir: string;
  let gateway: RunningGateway;

  beforeEach(async () => {
    dataDir = await claimGateway(bridge.bridge, client, siteId);
    gateway = await startGateway(bridge.bridge, dataDir, bridge.mqtts, { system: () => 0, tunnelPort: 0 });
    await waitUntil(
      () => gateway.status().upstream.connected,
      () => 'the link to the bridge',
    );
  });

  afterEach(async () => {
    await gateway.stop();
    removeGatewayData(dataDir);
  });

  const ticketOf = () => issueTicket(bridge.bridge, client, { site_id: siteId } as never);

  it('takes the time from the bridge, and uses TLS to the bridge and to controllers', async () => {
    expect(gateway.status().clock).toMatchObject({ trusted: true, source: 'bridge' });
    expect(gateway.status().clock.time).toMatch(/^2041-03-01/);
    const device = new LinkedDevice(NOW);
    await device.claim({ ticket: (await ticketOf()).ticket });
    await expect.poll(() => gateway.status().controllers.length).toBe(1);
    device.connect([gateway.addresses().mqtts]);
    await expect.poll(() => gateway.status().controllers[0]?.connected).toBe(true);
    await device.close();
  });

  it('starts with the last known time while the link is down', async () => {
    await gateway.stop();
    gateway = await startGateway(bridge.bridge, dataDir, 'mqtts://127.0.0.1:1', { system: () => 0 });
    expect(gateway.status().clock).toMatchObject({ trusted: false, source: 'floor' });
    expect(gateway.status().clock.time).toMatch(/^2041-03-01/);
  });

  it('tunnels a controller to the HTTPS port of the bridge only', async () => {
    const { hostname: host, port } = new URL(bridge.url);
    const target = { host, port: Number(port), timeoutMs: 5000 };
    const tunnel = await openProxyTunnel(gateway.addresses().tunnel!, target);
    const socket = await openTlsSocket({ ...target, tunnel, rejectionReason: () => null });
    expect(readPresentedCertificates(socket)[0]?.checkIP(host)).toBe(host);
    socket.destroy();
    await expect(openProxyTunnel(gateway.addresses().tunnel!, { ...target, port: 1 })).rejects.toThrow('403');
  });
});

describe('redeem', () => {
  it('claims a device through a proxy when the bridge is unreachable', async () => {
    const { port } = new URL(bridge.url);
    const { server, url } = await startProxy(Number(port));
    const device = new LinkedDevice(NOW);
    const { code } = await issueTicket(bridge.bridge, client, { site_id: siteId } as never);
    // Nothing listens on this address.
    const proof = { code, bridgeUrl: `https://127.0.0.2:${port}`, caFingerprint: null };
    await expect(requestClaimRedemption(proof, device.unclaimed(), virtualDoor, { now: NOW })).rejects.toThrow(
      'cannot be reached',
    );
    const terms = { now: NOW, proxies: ['http://127.0.0.1:1', url] };
    expect(await requestClaimRedemption(proof, device.unclaimed(), virtualDoor, terms)).toMatchObject({
      site_id: siteId,
    });
    server.closeAllConnections();
    server.close();
    await device.close();
  });
});
