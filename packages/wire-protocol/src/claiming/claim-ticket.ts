import { failed, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { epochMillisecondsSchema, wireProtocolVersionSchema } from '../mqtt/message-fields.ts';
import { base64url32BytesSchema } from '../schema-parts/base64url-32-bytes.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { signDocument, verifyAndParseSignedDocument, type SignBytes } from '../signing/signed-document.ts';

/*
 * The document that claims a controller: the address and the identity of its bridge, and the organization. Signed by
 * the organization.
 */

export const claimTicketSchema = z.object({
  v: wireProtocolVersionSchema,
  /** Can be redeemed once. */
  id: idSchema('claim_ticket'),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  /** The device to replace; null if the claim creates a new device. */
  device_id: idSchema('device').nullable(),
  bridge_url: z.string().min(1).max(2048),
  /** SHA-256 of the CA of the bridge's certificate; null if the bridge itself does not serve TLS. */
  ca_fingerprint: z
    .string()
    .regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/, { error: 'must be 32 bytes in hex with colons' })
    .nullable(),
  /** The Ed25519 key that signs all messages of the organization from then on. */
  organization_key: base64url32BytesSchema,
  expires_at: epochMillisecondsSchema,
});
export type ClaimTicket = z.infer<typeof claimTicketSchema>;

const kind = { domain: 'lintel claim ticket 1', name: 'claim ticket', schema: claimTicketSchema } as const;

export const signClaimTicket = (ticket: ClaimTicket, sign: SignBytes): string => signDocument(kind, ticket, sign);

type Verify = (organizationKey: string, bytes: Uint8Array, signature: Uint8Array) => boolean;

/** Returns the ticket if it is complete, signed by the key it names, and not expired at `now`. */
export const readVerifiedClaimTicket = (text: string, verify: Verify, now: number): Result<ClaimTicket> => {
  const read = verifyAndParseSignedDocument(kind, text, (ticket, ...signed) =>
    verify(ticket.organization_key, ...signed),
  );
  if (!read.ok || read.value.expires_at > now) return read;
  return failed([createProblem('expires_at', 'expired', 'has passed: the ticket has expired')]);
};
