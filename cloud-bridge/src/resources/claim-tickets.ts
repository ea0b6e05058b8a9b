import { requireObjectQuota } from './object-quota.ts';
import { randomBytes } from 'node:crypto';
import { instant } from '@lintel/access-core/instant';
import type { CreateClaimTicketRequest, ClaimTicketStatus } from '@lintel/wire-protocol/admin/claim-ticket';
import {
  CLAIM_CODE_RANDOM_BYTES,
  formatClaimCode,
  normalizeClaimCode,
} from '@lintel/wire-protocol/claiming/claim-code';
import { type ClaimTicket, signClaimTicket } from '@lintel/wire-protocol/claiming/claim-ticket';
import { createInvalidFieldError, checkAll } from '../http/api-error.ts';
import { hashToken } from '../secrets/create-and-hash-token.ts';
import type { ClaimTicketRow } from '../storage/organization-key-and-claim-ticket-schema.ts';
import { insertRow, requireReferencedRow, updateRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { getOrCreateOrganizationSigningKey } from './organization-signing-keys.ts';

/** URL of the bridge and the fingerprint that controllers verify. */
export interface BridgeAddress {
  readonly publicUrl: string;
  readonly caFingerprint: string | null;
}

/** Who issues a ticket. It decides whether the claimed controller gets people at once. */
export interface ClaimTicketIssuer {
  readonly userId: string | null;
  readonly applicationId: string | null;
  /** A person with access to the data folder. */
  readonly isOperator: boolean;
}

export const operatorIssuer: ClaimTicketIssuer = { userId: null, applicationId: null, isOperator: true };

/** The claimed controller waits for a confirmation. */
const unknownIssuer: ClaimTicketIssuer = { userId: null, applicationId: null, isOperator: false };

export interface IssuedClaimTicket {
  readonly row: ClaimTicketRow;
  readonly ticket: string;
  readonly code: string;
}

const logClaimTicketEvent = (
  context: WriteContext,
  verb: 'create' | 'delete',
  { id, site_id, device_id }: ClaimTicketRow,
): void => {
  const device = device_id === null ? {} : { device_id };
  context.log({ verb, object: { type: 'claim_ticket', claim_ticket_id: id, site_id, ...device } });
};

/** A fast hash is safe because the code has 60 random bits and expires with the ticket. */
export const hashClaimCode = (code: string): string => hashToken(`claim code ${normalizeClaimCode(code)}`);

export const computeClaimTicketStatus = (row: ClaimTicketRow, now: number): ClaimTicketStatus => {
  if (row.redeemed_at !== null) return 'redeemed';
  if (row.revoked_at !== null) return 'revoked';
  return row.expires_at <= now ? 'expired' : 'open';
};

const requireSiteAndDevice = async (context: WriteContext, siteId: string, deviceId: string | null): Promise<void> => {
  const [, device] = await checkAll([
    () => requireReferencedRow(context, 'sites', 'site_id', siteId),
    () => (deviceId === null ? null : requireReferencedRow(context, 'devices', 'device_id', deviceId)),
  ]);
  if (device !== null && device.site_id !== siteId)
    throw createInvalidFieldError('device_id', `refers to the device ${device.id}, which is at another site`, {
      id: device.id,
    });
};

export const issueClaimTicket = async (
  context: WriteContext,
  { site_id, device_id = null, expires_in }: CreateClaimTicketRequest,
  { publicUrl, caFingerprint }: BridgeAddress,
  issuer: ClaimTicketIssuer = unknownIssuer,
): Promise<IssuedClaimTicket> => {
  const { organizationId, now } = context;
  await requireObjectQuota(context, 'claim_tickets');
  await requireSiteAndDevice(context, site_id, device_id);
  const { publicKey, sign } = await getOrCreateOrganizationSigningKey(context);
  const id = context.newId('claim_ticket');
  const expires_at = instant(now + expires_in * 1000);
  const ticket = signClaimTicket(
    {
      v: 1,
      id,
      organization_id: organizationId as ClaimTicket['organization_id'],
      site_id,
      device_id,
      bridge_url: publicUrl,
      ca_fingerprint: caFingerprint,
      organization_key: publicKey,
      expires_at,
    },
    sign,
  );
  const code = formatClaimCode(randomBytes(CLAIM_CODE_RANDOM_BYTES));
  const row = await insertRow(context, 'claim_tickets', {
    id,
    organization_id: organizationId,
    site_id,
    device_id,
    code_hash: hashClaimCode(code),
    created_at: now,
    expires_at,
    redeemed_at: null,
    revoked_at: null,
    issued_by_user_id: issuer.userId,
    issued_by_application_id: issuer.applicationId,
    is_from_operator: issuer.isOperator ? 1 : 0,
    waiting_hardware_id: null,
    waiting_public_key: null,
    waiting_since: null,
    confirmed_at: null,
  });
  logClaimTicketEvent(context, 'create', row);
  return { row, ticket, code };
};

/** Marks the ticket as redeemed by the given device. */
export const redeemClaimTicket = async (
  context: WriteContext,
  row: ClaimTicketRow,
  deviceId: string,
): Promise<ClaimTicketRow> => {
  const redeemed = await updateRow(context, 'claim_tickets', row, { redeemed_at: context.now });
  const { id, site_id } = redeemed;
  context.log({ verb: 'use', object: { type: 'claim_ticket', claim_ticket_id: id, site_id, device_id: deviceId } });
  return redeemed;
};

/** Does nothing when the ticket can no longer be redeemed. */
export const revokeClaimTicket = async (context: WriteContext, row: ClaimTicketRow): Promise<ClaimTicketRow> => {
  if (computeClaimTicketStatus(row, context.now) !== 'open') return row;
  const revoked = await updateRow(context, 'claim_tickets', row, { revoked_at: context.now });
  logClaimTicketEvent(context, 'delete', revoked);
  return revoked;
};
