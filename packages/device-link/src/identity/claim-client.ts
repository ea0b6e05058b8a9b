import { verifyEd25519 } from '@lintel/crypto/verify-ed25519';
import type { HardwareId } from '@lintel/access-core/ids';
import { type ClaimTicket, readVerifiedClaimTicket } from '@lintel/wire-protocol/claiming/claim-ticket';
import {
  type RedeemClaimResponse,
  type RedeemClaimRequest,
  redeemClaimResponseSchema,
} from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import type { BridgeHttpOptions } from '../bridge-http/bridge-connection.ts';
import { postClaimOrRenewal, requireParsedClaimOrRenewalResponse } from '../bridge-http/post-claim-or-renewal.ts';
import { ClaimOrRenewalError } from '../bridge-http/claim-or-renewal-error.ts';
import type { DeviceKeys } from './device-keys.ts';
import type { EncodedDigestKey } from './digest-key-id-and-encoding.ts';
import { requireMatchingIssuedCertificate } from './check-issued-certificate.ts';
import { type DeviceEnrollment, toEnrollment } from './device-enrollment.ts';

/** The keys and id of a device before its claim. */
export interface UnclaimedDeviceIdentity {
  readonly keys: DeviceKeys;
  readonly hardwareId: HardwareId;
  readonly digestKey: EncodedDigestKey;
}

export type ClaimProof =
  | { readonly ticket: string }
  /** A code does not contain the bridge and its fingerprint. */
  | { readonly code: string; readonly bridgeUrl: string; readonly caFingerprint: string | null };

export interface DeviceDescription extends Pick<RedeemClaimRequest, 'gadgets' | 'name' | 'product'> {
  /** Null: the product of the device in the ticket. */
  readonly productId: string | null;
  readonly revisionId: string | null;
}

const openTicket = (text: string, now: number): ClaimTicket => {
  const read = readVerifiedClaimTicket(text, verifyEd25519, now);
  if (read.ok) return read.value;
  const [first] = read.problems;
  throw new ClaimOrRenewalError(
    first?.code === 'expired' ? 'The ticket has expired' : 'The ticket is damaged: its signature does not match',
    true,
    'ticket',
  );
};

/** The response must match the ticket, which the organization signed. */
const checkMatchesTicket = (ticket: ClaimTicket, answer: RedeemClaimResponse): void => {
  const isMatch =
    answer.organization_id === ticket.organization_id &&
    answer.site_id === ticket.site_id &&
    answer.organization_key === ticket.organization_key &&
    (ticket.device_id === null || answer.device_id === ticket.device_id);
  if (!isMatch)
    throw new ClaimOrRenewalError(
      'The bridge responded for another organization, site or device than the ticket',
      true,
    );
};

/** Claims the device. Can be repeated with the same key if the response was lost. Throws a ClaimOrRenewalError. */
export const requestClaimRedemption = async (
  proof: ClaimProof,
  { keys, hardwareId, digestKey }: UnclaimedDeviceIdentity,
  { productId, revisionId, product, name, gadgets }: DeviceDescription,
  terms: Omit<BridgeHttpOptions, 'trust'>,
): Promise<DeviceEnrollment> => {
  const ticket = 'ticket' in proof ? openTicket(proof.ticket, terms.now) : null;
  const shown = 'ticket' in proof ? { ticket: proof.ticket } : { code: proof.code };
  const bridgeUrl = 'ticket' in proof ? ticket!.bridge_url : proof.bridgeUrl;
  const fingerprint = 'ticket' in proof ? ticket!.ca_fingerprint : proof.caFingerprint;
  const body: RedeemClaimRequest = {
    v: 1,
    ...shown,
    csr: await keys.certificateRequest(),
    digest_key: digestKey,
    hardware_id: hardwareId,
    product_id: productId,
    revision_id: revisionId,
    ...(product === undefined ? {} : { product }),
    ...(name === undefined ? {} : { name }),
    ...(gadgets === undefined ? {} : { gadgets }),
  };
  const trust = { fingerprint, authority: null, bySystem: fingerprint === null };
  const said = await postClaimOrRenewal(bridgeUrl, 'claim/v1/redeem', body, { ...terms, trust });
  const answer = requireParsedClaimOrRenewalResponse(parseWithSchema(redeemClaimResponseSchema, said));
  if (ticket !== null) checkMatchesTicket(ticket, answer);
  requireMatchingIssuedCertificate(answer, keys, terms.now);
  return toEnrollment(answer, { bridge_url: bridgeUrl, ca_fingerprint: fingerprint, digest_key_id: digestKey.id });
};
