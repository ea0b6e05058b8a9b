import {
  type RenewCertificateResponse,
  encodeCertificateRenewalSigningBytes,
  renewCertificateResponseSchema,
} from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import type { BridgeHttpOptions } from '../bridge-http/bridge-connection.ts';
import { postClaimOrRenewal, requireParsedClaimOrRenewalResponse } from '../bridge-http/post-claim-or-renewal.ts';
import { ClaimOrRenewalError } from '../bridge-http/claim-or-renewal-error.ts';
import type { DeviceKeys } from './device-keys.ts';
import type { EncodedDigestKey } from './digest-key-id-and-encoding.ts';
import { requireMatchingIssuedCertificate, isSameCertificate } from './check-issued-certificate.ts';
import { type DeviceEnrollment, toRenewedEnrollment } from './device-enrollment.ts';

/** Renews the certificate for the same key. Throws a ClaimOrRenewalError. */
export const requestCertificateRenewal = async (
  enrollment: DeviceEnrollment,
  keys: DeviceKeys,
  newDigestKey: EncodedDigestKey | null,
  terms: Omit<BridgeHttpOptions, 'trust'>,
): Promise<DeviceEnrollment> => {
  const { device_id, serial, bridge_url, ca_fingerprint, ca_certificate } = enrollment;
  const content = { device_id, serial, csr: await keys.certificateRequest(), digest_key: newDigestKey };
  const signature = Buffer.from(keys.sign(encodeCertificateRenewalSigningBytes(content))).toString('base64url');
  // The HTTPS certificate of the bridge may have another issuer by now, so the authorities of the system are accepted.
  // The new device certificate must come from the known authority.
  const trust = { fingerprint: ca_fingerprint, authority: ca_certificate, bySystem: true };
  const said = await postClaimOrRenewal(
    bridge_url,
    'claim/v1/renew',
    { v: 1, ...content, signature },
    { ...terms, trust },
  );
  const answer: RenewCertificateResponse = requireParsedClaimOrRenewalResponse(
    parseWithSchema(renewCertificateResponseSchema, said),
  );
  requireMatchingIssuedCertificate(answer, keys, terms.now);
  if (answer.device_id !== device_id || !isSameCertificate(answer.ca_certificate, ca_certificate)) {
    throw new ClaimOrRenewalError('The renewed certificate is for another device or from another authority', false);
  }
  return toRenewedEnrollment(enrollment, answer, newDigestKey?.id ?? null);
};
