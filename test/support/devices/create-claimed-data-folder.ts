import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOrCreateDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { encodeDigestKey } from '@lintel/device-link/identity/digest-key-id-and-encoding';
import { loadOrCreateHardwareId } from '@lintel/device-link/identity/hardware-id';
import { EnrollmentFile, toEnrollment } from '@lintel/device-link/identity/device-enrollment';
import { DigestKeyFile } from '@lintel/device-runtime/credentials/digest-key-file';
import {
  redeemClaimResponseSchema,
  type RedeemClaimRequest,
} from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import type { TestOrganizationClient, TestBridge } from '../bridge/test-bridge.ts';
import { issueTicket } from './controller-identity.ts';

type ClaimedDevice = Pick<RedeemClaimRequest, 'product_id' | 'revision_id' | 'name' | 'gadgets'>;

/** Claims a device for the site and returns its data folder, with the files that `lintel enroll` writes. */
export const claimDataFolder = async (
  bridge: TestBridge,
  client: TestOrganizationClient,
  siteId: string,
  device: ClaimedDevice,
): Promise<{ readonly dataDir: string; readonly deviceId: string }> => {
  const dataDir = mkdtempSync(join(tmpdir(), `lintel-${device.product_id}-`));
  const digestKey = encodeDigestKey(new DigestKeyFile(join(dataDir, 'digest.key')).read());
  const { ticket } = await issueTicket(bridge, client, { site_id: siteId } as never);
  const payload = {
    v: 1,
    ticket,
    csr: await loadOrCreateDeviceKeys(dataDir).certificateRequest(),
    digest_key: digestKey,
    hardware_id: loadOrCreateHardwareId(dataDir, bridge.now, randomBytes),
    ...device,
  };
  const response = await bridge.app.inject({ method: 'POST', url: '/claim/v1/redeem', payload });
  if (response.statusCode !== 200) throw new Error(`claim failed: ${response.statusCode} ${response.body}`);
  const claimed = redeemClaimResponseSchema.parse(response.json());
  const bridge_url = bridge.services.publicUrl;
  new EnrollmentFile(dataDir).write(
    toEnrollment(claimed, { bridge_url, ca_fingerprint: null, digest_key_id: digestKey.id }),
  );
  return { dataDir, deviceId: claimed.device_id };
};
