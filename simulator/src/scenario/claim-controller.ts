import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DeviceId, SiteId } from '@lintel/access-core/ids';
import { issueClaimTicket } from '@lintel/cloud-bridge/resources/claim-tickets';
import { openDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { toldDigestKey } from '@lintel/device-link/identity/digest-key';
import { openHardwareId } from '@lintel/device-link/identity/hardware-id';
import { MembershipFile, membershipOf } from '@lintel/device-link/identity/membership';
import { DigestKeyFile } from '@lintel/device-runtime/credentials/digest-key-file';
import { redeemed } from '@lintel/wire-protocol/claiming/redemption';
import type { ScenarioBridge } from './scenario-bridge.ts';

/** The technician's visit: a ticket, a key pair that never leaves the folder, and a certificate for it. */
export const claimController = async (
  world: Pick<ScenarioBridge, 'bridge' | 'administer'>,
  place: { readonly site_id: string; readonly device_id: string },
  dataDir: string,
): Promise<void> => {
  const { services, app } = world.bridge;
  const wanted = { site_id: place.site_id as SiteId, device_id: place.device_id as DeviceId, expires_in: 3600 };
  const { ticket } = await world.administer(context => issueClaimTicket(context, wanted, services));
  const payload = {
    v: 1,
    ticket,
    csr: await openDeviceKeys(dataDir).certificateRequest(),
    digest_key: toldDigestKey(new DigestKeyFile(join(dataDir, 'digest.key')).read()),
    hardware_id: openHardwareId(dataDir, services.clock(), randomBytes),
    product_id: 'virtual',
    revision_id: '1',
  };
  const answer = await app.inject({ method: 'POST', url: '/claim/v1/redeem', payload });
  if (answer.statusCode !== 200) throw new Error(`the controller could not be claimed: ${answer.body}`);
  const digest_key_id = payload.digest_key.id;
  const bridgeOf = { bridge_url: services.publicUrl, ca_fingerprint: null, digest_key_id };
  new MembershipFile(dataDir).write(membershipOf(redeemed.parse(answer.json()), bridgeOf));
};
