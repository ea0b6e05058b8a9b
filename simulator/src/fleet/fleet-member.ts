import { createPrivateKey, sign } from 'node:crypto';
import type { OrganizationId } from '@lintel/access-core/ids';
import type { VerifySignature } from '@lintel/crypto/ed25519';
import type { DeviceIdentity } from '@lintel/device-link/session/session-link';
import { publicKey } from '@lintel/wire-protocol/claiming/public-key';
import { certificateSerial, digestKeyId, milliseconds } from '@lintel/wire-protocol/mqtt/message-fields';
import { idOf } from '@lintel/wire-protocol/schema-parts/identifier';
import * as z from 'zod';

/** What one controller of the fleet knows of itself, as it is kept in the file of keys. */
export const fleetMember = z.object({
  device_id: idOf('device'),
  serial: certificateSerial,
  digest_key_id: digestKeyId,
  /** In PEM. The certificate is for MQTTS alone. */
  key: z.string(),
  certificate: z.string(),
  expires_at: milliseconds,
});
export type FleetMember = z.infer<typeof fleetMember>;

/** What all controllers of a fleet have in common. */
export const fleetHome = z.object({
  organization_id: idOf('organization'),
  site_id: idOf('site'),
  organization_key: publicKey,
  /** In PEM: the authority of the broker, and of the controllers' own certificates. */
  ca_certificate: z.string(),
  brokers: z.object({ mqtts: z.string().nullable(), mqtt: z.string().nullable() }),
});
export type FleetHome = z.infer<typeof fleetHome>;

export interface Organization {
  readonly id: OrganizationId;
  readonly verify: VerifySignature;
}

export const identityOf = (
  { device_id, serial, key: pem }: FleetMember,
  { id, verify }: Organization,
): DeviceIdentity => {
  const key = createPrivateKey(pem);
  return {
    device_id,
    organization_id: id,
    serial,
    sign: bytes => sign(null, bytes, key),
    isSignedByOrganization: verify,
  };
};
