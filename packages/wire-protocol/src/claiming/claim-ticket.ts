import { failed, problem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { milliseconds, version } from '../mqtt/message-fields.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { encodeDocument, readDocument, type Sign } from '../signing/signed-document.ts';
import { publicKey } from './public-key.ts';

/*
 * What a controller is handed to be claimed: where its bridge is, how to know it, and whose it will be. A document signed
 * by the organization.
 */

export const claimTicket = z.object({
  v: version,
  /** Redeemed once. */
  id: idOf('claim_ticket'),
  organization_id: idOf('organization'),
  site_id: idOf('site'),
  /** The device whose hardware is claimed; null when the claim makes a new one. */
  device_id: idOf('device').nullable(),
  bridge_url: z.string().min(1).max(2048),
  /** SHA-256 of the authority behind the bridge's certificate; null where the bridge itself serves no TLS. */
  ca_fingerprint: z
    .string()
    .regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/, { error: 'must be 32 bytes in hex with colons' })
    .nullable(),
  /** What the controller believes from then on when it is signed by it. */
  organization_key: publicKey,
  expires_at: milliseconds,
});
export type ClaimTicket = z.infer<typeof claimTicket>;

const kind = { domain: 'lintel claim ticket 1', name: 'claim ticket', schema: claimTicket } as const;

export const encodeClaimTicket = (ticket: ClaimTicket, sign: Sign): string => encodeDocument(kind, ticket, sign);

type Verify = (organizationKey: string, bytes: Uint8Array, signature: Uint8Array) => boolean;

/** The ticket, if it is whole, signed by the key that it names, and not too old at `now`. */
export const readClaimTicket = (text: string, verify: Verify, now: number): Result<ClaimTicket> => {
  const read = readDocument(kind, text, (ticket, ...signed) => verify(ticket.organization_key, ...signed));
  if (!read.ok || read.value.expires_at > now) return read;
  return failed([problem('expires_at', 'expired', 'has passed: the ticket is too old')]);
};
