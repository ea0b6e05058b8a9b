import {
  type RenewCertificateRequest,
  type RenewCertificateResponse,
  encodeCertificateRenewalSigningBytes,
} from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { isGatewayDevice } from '../../resources/gateway-and-virtual-devices.ts';
import { ApiError, createInvalidFieldError } from '../../http/api-error.ts';
import { storeDeviceCertificate } from '../../resources/device-certificates.ts';
import { changeDeviceDigestKey } from '../../resources/device-links-and-digest-keys.ts';
import type { DeviceCertificateRow } from '../../storage/device-schema.ts';
import { CertificateRequestError } from '../../tls/certificate-authority.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import { verifyEd25519 } from '@lintel/crypto/verify-ed25519';
import { toCertificateResponse } from './certificate-response.ts';
import type { ClaimDependencies } from './redeem-claim.ts';

const signatureError = (): ApiError => new ApiError('forbidden', 'The signature does not match a valid certificate');

const isSigned = (body: RenewCertificateRequest, { device_id, public_key }: DeviceCertificateRow): boolean =>
  device_id === body.device_id &&
  verifyEd25519(public_key, encodeCertificateRenewalSigningBytes(body), Buffer.from(body.signature, 'base64url'));

/** A certificate that was issued for an earlier copy of this request: repeated requests get the same certificate. */
const findIssuedRenewal = ({ db }: WriteContext, publicKey: string, current: DeviceCertificateRow) =>
  db
    .selectFrom('device_certificates')
    .selectAll()
    .where('device_id', '=', current.device_id)
    .where('public_key', '=', publicKey)
    .where('serial', '!=', current.serial)
    .where('created_at', '>=', current.created_at)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();

/** Issues the next certificate. The current one stays valid until it expires, so that the device can switch safely. */
export const renewDeviceCertificate = async (
  claimServices: ClaimDependencies,
  body: RenewCertificateRequest,
): Promise<RenewCertificateResponse> => {
  const { services, brokers } = claimServices;
  const authority = await claimServices.authority();
  const current = await services.storage.reader
    .selectFrom('device_certificates')
    .selectAll()
    .where('serial', '=', body.serial)
    .executeTakeFirst();
  const now = services.clock();
  if (current === undefined || current.revoked_at !== null || current.expires_at <= now || !isSigned(body, current))
    throw signatureError();
  const device = await services.storage.reader
    .selectFrom('devices')
    .select('product_id')
    .where('id', '=', current.device_id)
    .executeTakeFirst();
  const subject = {
    deviceId: current.device_id,
    organizationId: current.organization_id,
    isServer: device !== undefined && isGatewayDevice(device),
  };
  const issued = await authority.issueDeviceCertificate(body.csr, subject, now).catch((error: unknown) => {
    throw error instanceof CertificateRequestError ? createInvalidFieldError('csr', error.message) : error;
  });
  return services.writer.write(current.organization_id, { device_id: current.device_id }, async context => {
    const existing = await findIssuedRenewal(context, issued.publicKey, current);
    const holder = { deviceId: current.device_id, hardwareId: current.hardware_id, claimTicketId: null };
    const certificate = existing ?? (await storeDeviceCertificate(context, issued, holder));
    if (body.digest_key !== null) await changeDeviceDigestKey(context, current.device_id, body.digest_key);
    if (existing === undefined) {
      const object = { type: 'device', device_id: current.device_id, hardware_id: current.hardware_id };
      context.log({ verb: 'edit', object, reason: 'certificate_renewed' });
      context.markChanged('device', current.device_id);
    }
    return toCertificateResponse(certificate, authority.certificate, brokers());
  });
};
