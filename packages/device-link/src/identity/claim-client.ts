import { verifyEd25519 } from '@lintel/crypto/ed25519';
import type { HardwareId } from '@lintel/access-core/ids';
import type { Result } from '@lintel/access-core/result';
import { type ClaimTicket, readClaimTicket } from '@lintel/wire-protocol/claiming/claim-ticket';
import {
  type Redeemed,
  type Redemption,
  redeemed,
  type Renewed,
  renewalSigningBytes,
  renewed,
} from '@lintel/wire-protocol/claiming/redemption';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import type { BridgeHttpOptions } from '../bridge-http/bridge-connection.ts';
import { postToBridge } from '../bridge-http/bridge-post.ts';
import { ClaimError } from '../bridge-http/claim-error.ts';
import type { DeviceKeys } from './device-keys.ts';
import type { ToldDigestKey } from './digest-key.ts';
import { checkIssued, isSameCertificate } from './issued-check.ts';
import { type Membership, membershipOf, renewedMembership } from './membership.ts';

/** What a device has before anybody has claimed it. */
export interface UnclaimedDevice {
  readonly keys: DeviceKeys;
  readonly hardwareId: HardwareId;
  readonly digestKey: ToldDigestKey;
}

export type ClaimProof =
  | { readonly ticket: string }
  /** A code does not say where its bridge is, nor how to know it. */
  | { readonly code: string; readonly bridgeUrl: string; readonly caFingerprint: string | null };

export interface ClaimedThing extends Pick<Redemption, 'gadgets' | 'name' | 'product'> {
  /** Null for that of the device which the ticket names. */
  readonly productId: string | null;
  readonly revisionId: string | null;
}

export const readTicket = (text: string, now: number): Result<ClaimTicket> => readClaimTicket(text, verifyEd25519, now);

const opened = (text: string, now: number): ClaimTicket => {
  const read = readTicket(text, now);
  if (read.ok) return read.value;
  const [first] = read.problems;
  throw new ClaimError(
    first?.code === 'expired' ? 'The ticket is too old' : 'The ticket is damaged: it is not as it was signed',
    true,
    'ticket',
  );
};

const answerOf = <T>(read: Result<T>): T => {
  if (read.ok) return read.value;
  const places = read.problems.map(({ path, message }) => `${path} ${message}`).join(', ');
  throw new ClaimError(`The answer of the bridge cannot be understood: ${places}`, false);
};

/** The ticket was signed by the organization: what the bridge answers must be what it promised. */
const checkPromise = (ticket: ClaimTicket, answer: Redeemed): void => {
  const isKept =
    answer.organization_id === ticket.organization_id &&
    answer.site_id === ticket.site_id &&
    answer.organization_key === ticket.organization_key &&
    (ticket.device_id === null || answer.device_id === ticket.device_id);
  if (!isKept)
    throw new ClaimError('The bridge answers for another organization, site or device than the ticket', true);
};

/** Becomes a device. With the same key it may be asked again, in case the answer was lost. Throws a ClaimError. */
export const redeem = async (
  proof: ClaimProof,
  { keys, hardwareId, digestKey }: UnclaimedDevice,
  { productId, revisionId, product, name, gadgets }: ClaimedThing,
  terms: Omit<BridgeHttpOptions, 'trust'>,
): Promise<Membership> => {
  const ticket = 'ticket' in proof ? opened(proof.ticket, terms.now) : null;
  const shown = 'ticket' in proof ? { ticket: proof.ticket } : { code: proof.code };
  const bridgeUrl = 'ticket' in proof ? ticket!.bridge_url : proof.bridgeUrl;
  const fingerprint = 'ticket' in proof ? ticket!.ca_fingerprint : proof.caFingerprint;
  const body: Redemption = {
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
  const said = await postToBridge(bridgeUrl, 'claim/v1/redeem', body, { ...terms, trust });
  const answer = answerOf(parseWith(redeemed, said));
  if (ticket !== null) checkPromise(ticket, answer);
  checkIssued(answer, keys, terms.now);
  return membershipOf(answer, { bridge_url: bridgeUrl, ca_fingerprint: fingerprint, digest_key_id: digestKey.id });
};

/** The next certificate, for the same key. Throws a ClaimError. */
export const renew = async (
  membership: Membership,
  keys: DeviceKeys,
  newDigestKey: ToldDigestKey | null,
  terms: Omit<BridgeHttpOptions, 'trust'>,
): Promise<Membership> => {
  const { device_id, serial, bridge_url, ca_fingerprint, ca_certificate } = membership;
  const content = { device_id, serial, csr: await keys.certificateRequest(), digest_key: newDigestKey };
  const signature = Buffer.from(keys.sign(renewalSigningBytes(content))).toString('base64url');
  // A bridge's certificate for HTTPS may have changed its issuer since. What is asked here is secret only with a digest
  // key in it, and what is answered must be of the authority that the device already knows.
  const trust = { fingerprint: ca_fingerprint, authority: ca_certificate, bySystem: true };
  const said = await postToBridge(bridge_url, 'claim/v1/renew', { v: 1, ...content, signature }, { ...terms, trust });
  const answer: Renewed = answerOf(parseWith(renewed, said));
  checkIssued(answer, keys, terms.now);
  if (answer.device_id !== device_id || !isSameCertificate(answer.ca_certificate, ca_certificate)) {
    throw new ClaimError('The bridge has renewed the certificate of another device or by another authority', false);
  }
  return renewedMembership(membership, answer, newDigestKey?.id ?? null);
};
