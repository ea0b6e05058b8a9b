import { createPrivateKey, sign } from 'node:crypto';
import type { OrganizationId } from '@lintel/access-core/ids';
import type { VerifySignature } from '@lintel/crypto/ed25519';
import type { DeviceIdentity } from '@lintel/device-link/session/session-link';
import { publicKey } from '@lintel/wire-protocol/claiming/public-key';
import { certificateSerial, digestKeyId, epochMilliseconds } from '@lintel/wire-protocol/mqtt/message-fields';
import { idSchema } from '@lintel/wire-protocol/schema-parts/identifier';
import * as z from 'zod';

/** Identity of a controller in the key file. */
export const fleetDevice = z.object({
  device_id: idSchema('device'),
  serial: certificateSerial,
  digest_key_id: digestKeyId,
  /** PEM. The certificate is used only for MQTTS. */
  key: z.string(),
  certificate: z.string(),
  expires_at: epochMilliseconds,
});
export type FleetDevice = z.infer<typeof fleetDevice>;

/** Enrollment data that all controllers of a fleet share. */
export const fleetEnrollment = z.object({
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  organization_key: publicKey,
  /** PEM. CA of the broker and of the controllers. */
  ca_certificate: z.string(),
  brokers: z.object({ mqtts: z.string().nullable(), mqtt: z.string().nullable() }),
});
export type FleetEnrollment = z.infer<typeof fleetEnrollment>;

export interface FleetOrganization {
  readonly id: OrganizationId;
  readonly verify: VerifySignature;
}

export const identityOf = (
  { device_id, serial, key: pem }: FleetDevice,
  { id, verify }: FleetOrganization,
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
