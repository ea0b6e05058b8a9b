import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DeviceId, SiteId } from '@lintel/access-core/ids';
import { issueClaimTicket, operatorIssuer } from '@lintel/cloud-bridge/resources/claim-tickets';
import { loadOrCreateDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { encodeDigestKey } from '@lintel/device-link/identity/digest-key-id-and-encoding';
import { loadOrCreateHardwareId } from '@lintel/device-link/identity/hardware-id';
import { EnrollmentFile, toEnrollment } from '@lintel/device-link/identity/device-enrollment';
import { DigestKeyFile } from '@lintel/device-runtime/credentials/digest-key-file';
import { redeemClaimResponseSchema } from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import type { ScenarioBridge } from './scenario-bridge.ts';

/** Claims a controller with a ticket, as a technician does. The key pair never leaves the data folder. */
export const claimScenarioController = async (
  world: Pick<ScenarioBridge, 'bridge' | 'administer'>,
  place: { readonly site_id: string; readonly device_id: string },
  dataDir: string,
): Promise<void> => {
  const { services, app } = world.bridge;
  const request = { site_id: place.site_id as SiteId, device_id: place.device_id as DeviceId, expires_in: 3600 };
  const { ticket } = await world.administer(context => issueClaimTicket(context, request, services, operatorIssuer));
  const payload = {
    v: 1,
    ticket,
    csr: await loadOrCreateDeviceKeys(dataDir).certificateRequest(),
    digest_key: encodeDigestKey(new DigestKeyFile(join(dataDir, 'digest.key')).read()),
    hardware_id: loadOrCreateHardwareId(dataDir, services.clock(), randomBytes),
    product_id: 'virtual',
    revision_id: '1',
  };
  const response = await app.inject({ method: 'POST', url: '/claim/v1/redeem', payload });
  if (response.statusCode !== 200) throw new Error(`The controller could not be claimed: ${response.body}`);
  const digest_key_id = payload.digest_key.id;
  const bridgeOf = { bridge_url: services.publicUrl, ca_fingerprint: null, digest_key_id };
  new EnrollmentFile(dataDir).write(toEnrollment(redeemClaimResponseSchema.parse(response.json()), bridgeOf));
};
