import { rmSync } from 'node:fs';
import { startGatewayProgram, type GatewayOptions, type RunningGateway } from '@lintel/gateway/main';
import type { TestOrganizationClient, TestBridge } from '../bridge/test-bridge.ts';
import { claimDataFolder } from './create-claimed-data-folder.ts';

/** Claims a gateway for the site and returns its data folder. */
export const claimGateway = async (
  bridge: TestBridge,
  client: TestOrganizationClient,
  siteId: string,
): Promise<string> => {
  const device = { product_id: 'gateway', revision_id: null, name: 'Gateway' };
  return (await claimDataFolder(bridge, client, siteId, device)).dataDir;
};

const quickRetries = { firstRetryMs: 20, longestRetryMs: 100 };

export const startGateway = (
  bridge: TestBridge,
  dataDir: string,
  upstream: string,
  given: Partial<GatewayOptions> = {},
): Promise<RunningGateway> =>
  startGatewayProgram({
    dataDir,
    listen: { host: '127.0.0.1', port: 0 },
    upstream,
    mqttPort: 0,
    statusPort: 0,
    tunnelPort: null,
    mdns: false,
    log: () => undefined,
    system: () => bridge.now,
    connectionLimits: quickRetries,
    ...given,
  });

export const removeGatewayData = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true });
