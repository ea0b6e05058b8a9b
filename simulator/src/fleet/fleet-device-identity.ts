import { createPrivateKey, sign } from 'node:crypto';
import type { OrganizationId } from '@lintel/access-core/ids';
import type { VerifySignature } from '@lintel/crypto/verify-ed25519';
import type { EnrolledDeviceIdentity } from '@lintel/device-link/session/session-link-interface';
import {
  certificateSerialSchema,
  digestKeyIdSchema,
  epochMillisecondsSchema,
} from '@lintel/wire-protocol/mqtt/message-fields';
import { base64url32BytesSchema } from '@lintel/wire-protocol/schema-parts/base64url-32-bytes';
import { idSchema } from '@lintel/wire-protocol/schema-parts/identifier';
import * as z from 'zod';

/** Identity of a controller in the key file. */
export const fleetDeviceSchema = z.object({
  device_id: idSchema('device'),
  serial: certificateSerialSchema,
  digest_key_id: digestKeyIdSchema,
  /** PEM. The certificate is used only for MQTTS. */
  key: z.string(),
  certificate: z.string(),
  expires_at: epochMillisecondsSchema,
});
export type FleetDevice = z.infer<typeof fleetDeviceSchema>;

/** Enrollment data that all controllers of a fleet share. */
export const fleetEnrollmentSchema = z.object({
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  organization_key: base64url32BytesSchema,
  /** PEM. CA of the broker and of the controllers. */
  ca_certificate: z.string(),
  brokers: z.object({ mqtts: z.string().nullable(), mqtt: z.string().nullable() }),
});
export type SharedFleetClaimData = z.infer<typeof fleetEnrollmentSchema>;

export interface FleetOrganization {
  readonly id: OrganizationId;
  readonly verify: VerifySignature;
}

export const createFleetDeviceIdentity = (
  { device_id, serial, key: pem }: FleetDevice,
  { id, verify }: FleetOrganization,
): EnrolledDeviceIdentity => {
  const key = createPrivateKey(pem);
  return {
    device_id,
    organization_id: id,
    serial,
    sign: bytes => sign(null, bytes, key),
    isSignedByOrganization: verify,
  };
};
