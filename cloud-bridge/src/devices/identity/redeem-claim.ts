import { isMissing } from '@lintel/access-core/problem-texts';
import type { SiteId } from '@lintel/access-core/ids';
import type {
  RedeemClaimResponse,
  redeemClaimRequestSchema,
} from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { readVerifiedClaimTicket } from '@lintel/wire-protocol/claiming/claim-ticket';
import { normalizeClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import type * as z from 'zod';
import { isGatewayDevice } from '../../resources/gateway-and-virtual-devices.ts';
import { createInvalidFieldError } from '../../http/api-error.ts';
import { hashClaimCode, computeClaimTicketStatus, redeemClaimTicket } from '../../resources/claim-tickets.ts';
import { storeDeviceCertificate, revokeDeviceCertificates } from '../../resources/device-certificates.ts';
import { resetDeviceLink } from '../../resources/device-links-and-digest-keys.ts';
import { hasConfirmedController, isActiveAtOnce } from '../../resources/controller-confirmation.ts';
import { replaceDeviceHardware } from '../../resources/replace-device-hardware.ts';
import { createDevice, applyProductRevision } from '../../resources/devices.ts';
import { getOrCreateOrganizationSigningKey } from '../../resources/organization-signing-keys.ts';
import { storeReportedProduct } from '../../resources/organization-products.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { ClaimTicketRow } from '../../storage/organization-key-and-claim-ticket-schema.ts';
import type { DeviceCertificateRow } from '../../storage/device-schema.ts';
import type { DeviceRow } from '../../storage/schema.ts';
import {
  type CertificateAuthority,
  type IssuedCertificate,
  CertificateRequestError,
} from '../../tls/certificate-authority.ts';
import { findRow, requireReferencedRow, requireRow, updateRow } from '../../transactions/row-operations.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import { verifyEd25519 } from '@lintel/crypto/verify-ed25519';
import { type BrokerAddresses, toCertificateResponse } from './certificate-response.ts';

type Redemption = z.output<typeof redeemClaimRequestSchema>;

export interface ClaimDependencies {
  readonly services: BridgeServices;
  readonly authority: () => Promise<CertificateAuthority>;
  readonly brokers: () => BrokerAddresses;
  /** Disconnects the controller that used this device id before. */
  readonly disconnect: (deviceId: string) => void;
}

/** The same error for an unknown and for an expired ticket, so that guessing reveals nothing. */
const ticketError = (field: 'ticket' | 'code') => createInvalidFieldError(field, 'is unknown, used or expired');

/** Null unless signed with the key of the organization. The expiry is checked later, under the organization's lock. */
const verifiedTicketId = async ({ storage }: BridgeServices, text: string): Promise<string | null> => {
  const parsed = readVerifiedClaimTicket(text, verifyEd25519, Number.NEGATIVE_INFINITY);
  if (!parsed.ok) return null;
  const { id, organization_id, organization_key } = parsed.value;
  const own = await storage.reader
    .selectFrom('organization_keys')
    .select('public_key')
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
  return own?.public_key === organization_key ? id : null;
};

const findTicket = async (
  services: BridgeServices,
  { ticket, code }: Redemption,
): Promise<ClaimTicketRow | undefined> => {
  const tickets = services.storage.reader.selectFrom('claim_tickets').selectAll();
  if (code !== undefined) {
    if (normalizeClaimCode(code) === null) return undefined;
    return tickets.where('code_hash', '=', hashClaimCode(code)).executeTakeFirst();
  }
  const id = await verifiedTicketId(services, ticket ?? '');
  return id === null ? undefined : tickets.where('id', '=', id).executeTakeFirst();
};

const createOrReplaceDevice = async (
  context: WriteContext,
  { device_id, site_id }: ClaimTicketRow,
  body: Redemption,
): Promise<DeviceRow> => {
  const { hardware_id, product_id, revision_id, name, gadgets } = body;
  const hardware = { hardware_id, ...(revision_id === null ? {} : { revision_id }) };
  if (device_id === null) {
    if (product_id === null) throw createInvalidFieldError('product_id', isMissing);
    await storeReportedProduct(context, body);
    const place = { site_id: site_id as SiteId, name: name ?? product_id, product_id };
    return (await createDevice(context, { ...place, ...hardware, ...(gadgets === undefined ? {} : { gadgets }) }))
      .device;
  }
  const device = await requireReferencedRow(context, 'devices', 'ticket', device_id);
  if (product_id !== null && device.product_id !== product_id) {
    throw createInvalidFieldError(
      'product_id',
      `must be ${device.product_id}, the product of the device ${device_id}`,
      { id: device_id },
    );
  }
  const product = await storeReportedProduct(context, body);
  const fitting = product === null ? device : await applyProductRevision(context, device, product);
  return replaceDeviceHardware(context, fitting, hardware);
};

/** A controller that did not receive the response may repeat the request with the same key. */
const findRedeemedCertificate = (
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

/** Validates the CSR before the claim. A new device has no id at this point, so the issued certificate is discarded. */
const validateCsr = async (authority: CertificateAuthority, csr: string, now: number): Promise<IssuedCertificate> => {
  try {
    return await authority.issueDeviceCertificate(
      csr,
      { deviceId: 'unknown', organizationId: 'unknown', isServer: false },
      now,
    );
  } catch (error) {
    throw error instanceof CertificateRequestError ? createInvalidFieldError('csr', error.message) : error;
  }
};

const claim = async (
  context: WriteContext,
  authority: CertificateAuthority,
  ticket: ClaimTicketRow,
  body: Redemption,
): Promise<DeviceCertificateRow> => {
  const isConfirmed = ticket.confirmed_at !== null || (await isActiveAtOnce(context, ticket));
  const device = await createOrReplaceDevice(context, ticket, body);
  await revokeDeviceCertificates(context, device.id);
  const { organizationId } = context;
  const subject = { deviceId: device.id, organizationId, isServer: isGatewayDevice(device) };
  const issued = await authority.issueDeviceCertificate(body.csr, subject, context.now);
  const holder = { deviceId: device.id, hardwareId: body.hardware_id, claimTicketId: ticket.id };
  const certificate = await storeDeviceCertificate(context, issued, holder);
  const link = { serial: issued.serial, digestKey: body.digest_key, isConfirmed, claimTicketId: ticket.id };
  await resetDeviceLink(context, device.id, link);
  await redeemClaimTicket(context, ticket, device.id);
  // Other controllers of the site identify it by its certificate.
  context.markChanged('device', device.id);
  return certificate;
};

/**
 * A technician cannot take a door from the people who use it: the present controller works until an administrator has
 * confirmed the new one, which repeats its claim. True if the claim has to wait.
 */
const waitForConfirmation = async (
  context: WriteContext,
  ticket: ClaimTicketRow,
  { publicKey }: IssuedCertificate,
  { hardware_id }: Redemption,
): Promise<boolean> => {
  if (ticket.waiting_public_key !== null) return ticket.confirmed_at === null;
  if (ticket.device_id === null || (await isActiveAtOnce(context, ticket))) return false;
  if (!(await hasConfirmedController(context, ticket.device_id))) return false;
  await updateRow(context, 'claim_tickets', ticket, {
    waiting_hardware_id: hardware_id,
    waiting_public_key: publicKey,
    waiting_since: context.now,
  });
  const { device_id, site_id } = ticket;
  const object = { type: 'device', device_id, site_id, hardware_id } as const;
  context.log({ verb: 'edit', reason: 'controller_waits', object });
  return true;
};

const findLinkOf = ({ db }: WriteContext, deviceId: string) =>
  db.selectFrom('device_links').select('is_confirmed').where('device_id', '=', deviceId).executeTakeFirst();

/** The answer to a claim. Without an enrollment the controller repeats its claim until a person has decided. */
export type RedeemedClaim =
  | { readonly kind: 'enrolled'; readonly response: RedeemClaimResponse }
  | { readonly kind: 'waiting' };

export const redeemClaim = async (claimServices: ClaimDependencies, body: Redemption): Promise<RedeemedClaim> => {
  const { services, brokers, disconnect } = claimServices;
  const authority = await claimServices.authority();
  const field = body.code === undefined ? 'ticket' : 'code';
  const found = await findTicket(services, body);
  if (found === undefined) throw ticketError(field);
  const requested = await validateCsr(authority, body.csr, services.clock());
  let isNew = false;
  const response = await services.writer.write(found.organization_id, {}, async context => {
    const ticket = await findRow(context, 'claim_tickets', found.id);
    if (ticket === undefined) throw ticketError(field);
    const existing = await findRedeemedCertificate(context, ticket, requested, body);
    if (existing === undefined && computeClaimTicketStatus(ticket, context.now) !== 'open') throw ticketError(field);
    // The confirmation is for the hardware that was shown.
    if ((ticket.waiting_public_key ?? requested.publicKey) !== requested.publicKey) throw ticketError(field);
    if (existing === undefined && (await waitForConfirmation(context, ticket, requested, body))) return null;
    isNew = existing === undefined;
    const certificate = existing ?? (await claim(context, authority, ticket, body));
    const device = await requireRow(context, 'devices', 'device', certificate.device_id);
    return {
      ...toCertificateResponse(certificate, authority.certificate, brokers()),
      organization_id: context.organizationId as RedeemClaimResponse['organization_id'],
      site_id: device.site_id as RedeemClaimResponse['site_id'],
      product_id: device.product_id,
      organization_key: (await getOrCreateOrganizationSigningKey(context)).publicKey,
      bridge_url: services.publicUrl,
      is_confirmed: (await findLinkOf(context, device.id))?.is_confirmed === 1,
    } satisfies RedeemClaimResponse;
  });
  if (response === null) return { kind: 'waiting' };
  if (isNew) disconnect(response.device_id);
  return { kind: 'enrolled', response };
};
