import type { SiteId } from '@lintel/access-core/ids';
import type { Redeemed, redemption } from '@lintel/wire-protocol/claiming/redemption';
import { readClaimTicket } from '@lintel/wire-protocol/claiming/claim-ticket';
import { plainClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import type * as z from 'zod';
import { isGateway } from '../../resources/device-constraints.ts';
import { invalid } from '../../http/api-error.ts';
import { claimCodeHash, claimTicketStatus, redeemClaimTicket } from '../../resources/claim-tickets.ts';
import { keepCertificate, revokeCertificates } from '../../resources/device-certificates.ts';
import { linkDevice } from '../../resources/device-links.ts';
import { replaceDeviceHardware } from '../../resources/device-replacement.ts';
import { createDevice, refitDevice } from '../../resources/devices.ts';
import { organizationKey } from '../../resources/organization-keys.ts';
import { keepOwnProduct } from '../../resources/organization-products.ts';
import type { Services } from '../../services.ts';
import type { ClaimTicketRow } from '../../storage/claiming-schema.ts';
import type { DeviceCertificateRow } from '../../storage/device-schema.ts';
import type { DeviceRow } from '../../storage/schema.ts';
import { type CertificateAuthority, type IssuedCertificate, UnfitRequest } from '../../tls/certificate-authority.ts';
import { findRow, requireReference, requireRow } from '../../transactions/rows.ts';
import type { WriteContext } from '../../transactions/writer.ts';
import { verifyEd25519 } from '@lintel/crypto/ed25519';
import { type BrokerAddresses, issuedAnswer } from './issued-answer.ts';

type Redemption = z.output<typeof redemption>;

export interface ClaimDesk {
  readonly services: Services;
  readonly authority: () => Promise<CertificateAuthority>;
  readonly brokers: () => BrokerAddresses;
  /** The controller that was known by this device's name until now is sent away. */
  readonly sendAway: (deviceId: string) => void;
}

/** Says no more to somebody who guesses than to somebody whose ticket is too old. */
const noTicket = (field: 'ticket' | 'code') =>
  invalid(field, `The ${field} is not known here, has been used or is too old`);

const verifyTicket = (key: string, bytes: Uint8Array, signature: Uint8Array): boolean =>
  verifyEd25519(key, bytes, signature);

/** Null unless our own organization's key has signed it. An old one is told apart later, under the lock. */
const idInTicket = async ({ storage }: Services, text: string): Promise<string | null> => {
  const read = readClaimTicket(text, verifyTicket, Number.NEGATIVE_INFINITY);
  if (!read.ok) return null;
  const { id, organization_id, organization_key } = read.value;
  const own = await storage.reader
    .selectFrom('organization_keys')
    .select('public_key')
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
  return own?.public_key === organization_key ? id : null;
};

const findTicket = async (services: Services, { ticket, code }: Redemption): Promise<ClaimTicketRow | undefined> => {
  const tickets = services.storage.reader.selectFrom('claim_tickets').selectAll();
  if (code !== undefined) {
    if (plainClaimCode(code) === null) return undefined;
    return tickets.where('code_hash', '=', claimCodeHash(code)).executeTakeFirst();
  }
  const id = await idInTicket(services, ticket ?? '');
  return id === null ? undefined : tickets.where('id', '=', id).executeTakeFirst();
};

const claimedDevice = async (
  context: WriteContext,
  { device_id, site_id }: ClaimTicketRow,
  body: Redemption,
): Promise<DeviceRow> => {
  const { hardware_id, product_id, revision_id, name, gadgets } = body;
  const hardware = { hardware_id, ...(revision_id === null ? {} : { revision_id }) };
  if (device_id === null) {
    if (product_id === null) throw invalid('product_id', 'product_id is needed for a new device');
    await keepOwnProduct(context, body);
    const place = { site_id: site_id as SiteId, name: name ?? product_id, product_id };
    return (await createDevice(context, { ...place, ...hardware, ...(gadgets === undefined ? {} : { gadgets }) }))
      .device;
  }
  const device = await requireReference(context, 'devices', 'ticket', device_id);
  if (product_id !== null && device.product_id !== product_id) {
    throw invalid('product_id', `The device is a ${device.product_id}`, { id: device_id });
  }
  const product = await keepOwnProduct(context, body);
  const fitting = product === null ? device : await refitDevice(context, device, product);
  return replaceDeviceHardware(context, fitting, hardware);
};

/** The answer may have been lost on its way: the same controller may ask again, with the same key. */
const alreadyRedeemed = (
  { db }: WriteContext,
  { id }: ClaimTicketRow,
  { publicKey }: IssuedCertificate,
  { hardware_id }: Redemption,
): Promise<DeviceCertificateRow | undefined> =>
  db
    .selectFrom('device_certificates')
    .selectAll()
    .where('claim_ticket_id', '=', id)
    .where('public_key', '=', publicKey)
    .where('hardware_id', '=', hardware_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();

/** The id of the device is in the certificate, and a new device has none yet: the request is judged before, for any. */
const judgeRequest = async (authority: CertificateAuthority, csr: string, now: number): Promise<IssuedCertificate> => {
  try {
    return await authority.issueDeviceCertificate(csr, { deviceId: 'unknown', isServer: false }, now);
  } catch (error) {
    throw error instanceof UnfitRequest ? invalid('csr', `csr ${error.message}`) : error;
  }
};

const claim = async (
  context: WriteContext,
  authority: CertificateAuthority,
  ticket: ClaimTicketRow,
  body: Redemption,
): Promise<DeviceCertificateRow> => {
  const device = await claimedDevice(context, ticket, body);
  await revokeCertificates(context, device.id);
  const subject = { deviceId: device.id, isServer: isGateway(device) };
  const issued = await authority.issueDeviceCertificate(body.csr, subject, context.now);
  const holder = { deviceId: device.id, hardwareId: body.hardware_id, claimTicketId: ticket.id };
  const certificate = await keepCertificate(context, issued, holder);
  await linkDevice(context, device.id, issued.serial, body.digest_key);
  await redeemClaimTicket(context, ticket, device.id);
  // Other controllers of the site know it by its certificate.
  context.changed('device', device.id);
  return certificate;
};

export const redeem = async (desk: ClaimDesk, body: Redemption): Promise<Redeemed> => {
  const { services, brokers, sendAway } = desk;
  const authority = await desk.authority();
  const field = body.code === undefined ? 'ticket' : 'code';
  const found = await findTicket(services, body);
  if (found === undefined) throw noTicket(field);
  const judged = await judgeRequest(authority, body.csr, services.clock());
  let isNew = false;
  const answer = await services.writer.write(found.organization_id, {}, async context => {
    const ticket = await findRow(context, 'claim_tickets', found.id);
    if (ticket === undefined) throw noTicket(field);
    const before = await alreadyRedeemed(context, ticket, judged, body);
    if (before === undefined && claimTicketStatus(ticket, context.now) !== 'open') throw noTicket(field);
    isNew = before === undefined;
    const certificate = before ?? (await claim(context, authority, ticket, body));
    const device = await requireRow(context, 'devices', 'device', certificate.device_id);
    return {
      ...issuedAnswer(certificate, authority.certificate, brokers()),
      organization_id: context.organizationId as Redeemed['organization_id'],
      site_id: device.site_id as Redeemed['site_id'],
      product_id: device.product_id,
      organization_key: (await organizationKey(context)).publicKey,
      bridge_url: services.publicUrl,
    } satisfies Redeemed;
  });
  if (isNew) sendAway(answer.device_id);
  return answer;
};
