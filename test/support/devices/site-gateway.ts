import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { toldDigestKey } from '@lintel/device-link/identity/digest-key';
import { MembershipFile, membershipOf } from '@lintel/device-link/identity/membership';
import { createGateway, type GatewayOptions, type RunningGateway } from '@lintel/gateway/main';
import type { Redeemed } from '@lintel/wire-protocol/claiming/redemption';
import type { BridgeWorld, OrganizationClient } from '../bridge/bridge-world.ts';
import { aTicket } from './controller-identity.ts';

/** A data folder as `lintel enroll` leaves it, of a gateway that has been claimed for the site. */
export const claimGateway = async (world: BridgeWorld, client: OrganizationClient, siteId: string): Promise<string> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-gateway-'));
  const digestKey = randomBytes(32);
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'digest.key'), digestKey, { mode: 0o600 });
  const keys = openDeviceKeys(dataDir);
  const { ticket } = await aTicket(world, client, { site_id: siteId } as never);
  const answer = await world.bridge.app.inject({
    method: 'POST',
    url: '/claim/v1/redeem',
    payload: {
      v: 1,
      ticket,
      csr: await keys.certificateRequest(),
      digest_key: toldDigestKey(digestKey),
      hardware_id: world.bridge.services.newId('hardware'),
      product_id: 'gateway',
      revision_id: null,
      name: 'Gateway',
    },
  });
  if (answer.statusCode !== 200) throw new Error(`the gateway is not claimed: ${answer.body}`);
  new MembershipFile(dataDir).write(
    membershipOf(answer.json<Redeemed>(), { bridge_url: world.bridge.services.publicUrl, ca_fingerprint: null }),
  );
  return dataDir;
};

const impatient = { firstRetryMs: 20, longestRetryMs: 100 };

export const startGateway = (
  world: BridgeWorld,
  dataDir: string,
  upstream: string,
  given: Partial<GatewayOptions> = {},
): Promise<RunningGateway> =>
  createGateway({
    dataDir,
    listen: { host: '127.0.0.1', port: 0 },
    upstream,
    mqttPort: 0,
    statusPort: 0,
    tunnelPort: null,
    mdns: false,
    log: () => undefined,
    system: () => world.now,
    connectionLimits: impatient,
    ...given,
  });

export const forgetGateway = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true });
