import { networkInterfaces } from 'node:os';
import { GatewayDiscovery } from '@lintel/device-link/discovery/gateway-discovery';
import { describe, expect, it } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { createTestSite } from '../support/bridge/site-fixtures.ts';
import { claimGateway, removeGatewayData, startGateway } from '../support/devices/claim-and-start-gateway.ts';

const isOnNetwork = (): boolean =>
  Object.values(networkInterfaces()).some(addresses => addresses?.some(({ internal }) => !internal) === true);

describe('GatewayDiscovery', () => {
  it('finds a gateway of its organization on the network until the gateway stops', async context => {
    if (!isOnNetwork()) context.skip('mDNS needs a network interface other than loopback');
    const bridge = await TestBridge.open();
    const client = await bridge.newOrganization();
    const dataDir = await claimGateway(bridge, client, await createTestSite(bridge, client));
    const discovery = new GatewayDiscovery(() => undefined);
    let changes = 0;
    discovery.onChange(() => {
      changes++;
    });
    discovery.start();
    const gateway = await startGateway(bridge, dataDir, 'mqtt://127.0.0.1:1', { mdns: true, tunnelPort: 0 });
    const { port } = new URL(gateway.addresses().mqtts);
    await expect.poll(() => discovery.urls(client.organizationId).length).toBeGreaterThan(0);
    expect(new URL(discovery.urls(client.organizationId)[0]!).port).toBe(port);
    expect(new URL(discovery.proxies(client.organizationId)[0]!).port).toBe(new URL(gateway.addresses().tunnel!).port);
    expect(discovery.urls('org_other')).toEqual([]);
    expect(changes).toBeGreaterThan(0);
    await gateway.stop();
    await expect.poll(() => discovery.urls(client.organizationId)).toEqual([]);
    discovery.stop();
    await bridge.close();
    removeGatewayData(dataDir);
  });
});
