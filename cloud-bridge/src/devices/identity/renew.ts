import { type Renewal, type Renewed, renewalSigningBytes } from '@lintel/wire-protocol/claiming/redemption';
import { isGateway } from '../../resources/device-constraints.ts';
import { ApiError, invalid } from '../../http/api-error.ts';
import { keepCertificate } from '../../resources/device-certificates.ts';
import { changeDigestKey } from '../../resources/device-links.ts';
import type { DeviceCertificateRow } from '../../storage/device-schema.ts';
import { UnfitRequest } from '../../tls/certificate-authority.ts';
import type { WriteContext } from '../../transactions/writer.ts';
import { verifyEd25519 } from '@lintel/crypto/ed25519';
import { issuedAnswer } from './issued-answer.ts';
import type { ClaimDesk } from './redeem.ts';

const refused = (): ApiError => new ApiError('forbidden', 'The signature does not fit a certificate that is in force');

const isSigned = (body: Renewal, { device_id, public_key }: DeviceCertificateRow): boolean =>
  device_id === body.device_id &&
  verifyEd25519(public_key, renewalSigningBytes(body), Buffer.from(body.signature, 'base64url'));

/** Asked for before and not taken into use yet: the same again, however often somebody repeats the request. */
const waitingFor = ({ db }: WriteContext, publicKey: string, after: DeviceCertificateRow) =>
  db
    .selectFrom('device_certificates')
    .selectAll()
    .where('device_id', '=', after.device_id)
    .where('public_key', '=', publicKey)
    .where('serial', '!=', after.serial)
    .where('created_at', '>=', after.created_at)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();

/**
 * The next certificate of a device. The one it has stays in force until it expires: the device takes up the new one when
 * it has it safely on its disk.
 */
export const renew = async (desk: ClaimDesk, body: Renewal): Promise<Renewed> => {
  const { services, brokers } = desk;
  const authority = await desk.authority();
  const held = await services.storage.reader
    .selectFrom('device_certificates')
    .selectAll()
    .where('serial', '=', body.serial)
    .executeTakeFirst();
  const now = services.clock();
  if (held === undefined || held.revoked_at !== null || held.expires_at <= now || !isSigned(body, held))
    throw refused();
  const device = await services.storage.reader
    .selectFrom('devices')
    .select('product_id')
    .where('id', '=', held.device_id)
    .executeTakeFirst();
  const subject = { deviceId: held.device_id, isServer: device !== undefined && isGateway(device) };
  const issued = await authority.issueDeviceCertificate(body.csr, subject, now).catch((error: unknown) => {
    throw error instanceof UnfitRequest ? invalid('csr', `csr ${error.message}`) : error;
  });
  return services.writer.write(held.organization_id, { device_id: held.device_id }, async context => {
    const waiting = await waitingFor(context, issued.publicKey, held);
    const holder = { deviceId: held.device_id, hardwareId: held.hardware_id, claimTicketId: null };
    const certificate = waiting ?? (await keepCertificate(context, issued, holder));
    if (body.digest_key !== null) await changeDigestKey(context, held.device_id, body.digest_key);
    if (waiting === undefined) {
      const object = { type: 'device', device_id: held.device_id, hardware_id: held.hardware_id };
      context.log({ verb: 'edit', object, reason: 'certificate_renewed' });
      context.changed('device', held.device_id);
    }
    return issuedAnswer(certificate, authority.certificate, brokers());
  });
};
