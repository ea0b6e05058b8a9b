import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { instant } from '@lintel/access-core/instant';
import { redeem } from '@lintel/device-link/identity/claim-client';
import { openTlsSocket } from '@lintel/device-link/tls/open-socket';
import { openTunnel } from '@lintel/device-link/tls/proxy-tunnel';
import { presentedChain } from '@lintel/device-link/tls/server-chain';
import type { RunningGateway } from '@lintel/gateway/main';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OrganizationClient } from '../support/bridge/bridge-world.ts';
import { aTicket } from '../support/devices/controller-identity.ts';
import { aVirtualDoor, LinkedDevice } from '../support/devices/linked-device.ts';
import { aSite } from '../support/bridge/place.ts';
import { claimGateway, forgetGateway, startGateway } from '../support/devices/site-gateway.ts';
import { TlsBridge } from '../support/bridge/tls-bridge.ts';

/** Far from the clock of the machine that runs the test. */
const NOW = instant(Date.parse('2041-03-01T10:00:00Z'));

/** A proxy that reaches the bridge under an address that leads nowhere from here. */
const roundabout = async (port: number): Promise<{ readonly server: Server; readonly url: string }> => {
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

describe('a gateway whose machine believes that it is 1970', () => {
  let bridge: TlsBridge;
  let client: OrganizationClient;
  let siteId: string;
  let dataDir: string;
  let gateway: RunningGateway;

  beforeEach(async () => {
    bridge = await TlsBridge.open(NOW);
    client = await bridge.world.newOrganization();
    siteId = await aSite(bridge.world, client);
    dataDir = await claimGateway(bridge.world, client, siteId);
    gateway = await startGateway(bridge.world, dataDir, bridge.mqtts, { system: () => 0, tunnelPort: 0 });
    await vi.waitUntil(() => gateway.status().upstream.connected, { timeout: 10_000 });
  });

  afterEach(async () => {
    await gateway.stop();
    await bridge.close();
    forgetGateway(dataDir);
  });

  const ticketOf = () => aTicket(bridge.world, client, { site_id: siteId } as never);

  it('takes the time from the bridge and serves controllers with TLS at both ends', async () => {
    expect(gateway.status().clock).toMatchObject({ trusted: true, source: 'bridge' });
    expect(gateway.status().clock.time).toMatch(/^2041-03-01/);
    const device = new LinkedDevice(NOW);
    await device.claim({ ticket: (await ticketOf()).ticket });
    await expect.poll(() => gateway.status().controllers.length).toBe(1);
    device.connect([gateway.addresses().mqtts]);
    await expect.poll(() => gateway.status().controllers[0]?.connected).toBe(true);
    await device.close();
  });

  it('remembers the time over a restart without a line', async () => {
    await gateway.stop();
    gateway = await startGateway(bridge.world, dataDir, 'mqtts://127.0.0.1:1', { system: () => 0 });
    expect(gateway.status().clock).toMatchObject({ trusted: false, source: 'floor' });
    expect(gateway.status().clock.time).toMatch(/^2041-03-01/);
  });

  it('leads a controller without a route to the bridge, which proves itself through it', async () => {
    const { hostname: host, port } = new URL(bridge.url);
    const target = { host, port: Number(port), timeoutMs: 5000 };
    const through = await openTunnel(gateway.addresses().tunnel!, target);
    const socket = await openTlsSocket({ ...target, through, judge: () => null });
    expect(presentedChain(socket)[0]?.checkIP(host)).toBe(host);
    socket.destroy();
    await expect(openTunnel(gateway.addresses().tunnel!, { ...target, port: 1 })).rejects.toThrow('403');
  });

  it('is a way to be claimed where there is no other', async () => {
    const { port } = new URL(bridge.url);
    const { server, url } = await roundabout(Number(port));
    const device = new LinkedDevice(NOW);
    const { code } = await ticketOf();
    // Nobody listens on this address of the machine.
    const proof = { code, bridgeUrl: `https://127.0.0.2:${port}`, caFingerprint: null };
    await expect(redeem(proof, device.unclaimed(), aVirtualDoor, { now: NOW })).rejects.toThrow('cannot be reached');
    const terms = { now: NOW, proxies: ['http://127.0.0.1:1', url] };
    expect(await redeem(proof, device.unclaimed(), aVirtualDoor, terms)).toMatchObject({ site_id: siteId });
    server.closeAllConnections();
    server.close();
    await device.close();
  });
});
