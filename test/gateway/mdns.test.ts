import { networkInterfaces } from 'node:os';
import { GatewayDiscovery } from '@lintel/device-link/discovery/gateway-discovery';
import { expect, it } from 'vitest';
import { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { aSite } from '../support/bridge/place.ts';
import { claimGateway, forgetGateway, startGateway } from '../support/devices/site-gateway.ts';

const isOnNetwork = (): boolean =>
  Object.values(networkInterfaces()).some(addresses => addresses?.some(({ internal }) => !internal) === true);

it('is found by controllers on the network, and only by those of its organization', async context => {
  if (!isOnNetwork()) context.skip('mDNS needs a network interface beside loopback');
  const world = await BridgeWorld.open();
  const client = await world.newOrganization();
  const dataDir = await claimGateway(world, client, await aSite(world, client));
  const discovery = new GatewayDiscovery(() => undefined);
  let changes = 0;
  discovery.onChange(() => {
    changes++;
  });
  discovery.start();
  const gateway = await startGateway(world, dataDir, 'mqtt://127.0.0.1:1', { mdns: true, tunnelPort: 0 });
  const { port } = new URL(gateway.addresses().mqtts);
  await expect.poll(() => discovery.urls(client.organizationId).length, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(new URL(discovery.urls(client.organizationId)[0]!).port).toBe(port);
  expect(new URL(discovery.proxies(client.organizationId)[0]!).port).toBe(new URL(gateway.addresses().tunnel!).port);
  expect(discovery.urls('org_other')).toEqual([]);
  expect(changes).toBeGreaterThan(0);
  await gateway.stop();
  await expect.poll(() => discovery.urls(client.organizationId), { timeout: 20_000 }).toEqual([]);
  discovery.stop();
  await world.close();
  forgetGateway(dataDir);
});
