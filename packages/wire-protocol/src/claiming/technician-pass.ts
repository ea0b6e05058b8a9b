import type { DeviceId, OrganizationId, SiteId } from '@lintel/access-core/ids';
import { failed, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { epochMillisecondsSchema, wireProtocolVersionSchema } from '../mqtt/message-fields.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { signDocument, verifyAndParseSignedDocument, type SignBytes } from '../signing/signed-document.ts';

/*
 * The certificate of a technician's key for the controllers of one site. The controller verifies it offline with the
 * organization's key. It is useless without the private key, see `technician/login-proof.ts`.
 */

/** The longest lifetime that a controller accepts. */
export const MAX_TECHNICIAN_PASS_LIFETIME_MS = 7 * 86_400_000;

/** An uncompressed point, which is the `raw` format of WebCrypto. */
export const technicianPublicKeySchema = z
  .string()
  .regex(/^B[A-P][A-Za-z0-9_-]{85}$/, { error: 'must be an uncompressed P-256 public key: 65 bytes in base64url' });

export const technicianPassSchema = z.object({
  v: wireProtocolVersionSchema,
  /** Recorded with each action under this pass. */
  id: z.string().min(1).max(100),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  /** Null: valid at all controllers of the site. */
  device_id: idSchema('device').nullable(),
  /** ECDSA on P-256, because all browsers of phones support it in WebCrypto. */
  public_key: technicianPublicKeySchema,
  user_id: idSchema('user').nullable(),
  /** For the records of the controller, which knows no users. */
  user_name: z.string().max(200).nullish(),
  issued_at: epochMillisecondsSchema,
  expires_at: epochMillisecondsSchema,
});
export type TechnicianPass = z.infer<typeof technicianPassSchema>;

const kind = { domain: 'lintel technician pass 2', name: 'technician pass', schema: technicianPassSchema } as const;

export const signTechnicianPass = (pass: TechnicianPass, sign: SignBytes): string => signDocument(kind, pass, sign);

export interface TechnicianPassExpectation {
  readonly organization_id: OrganizationId;
  readonly site_id: SiteId;
  readonly device_id: DeviceId;
  /** The controller's time, or its lower bound: a slow clock extends a pass but never makes a future pass valid. */
  readonly now: number;
  /** False: `now` is only a lower bound, for example after weeks without power, so a pass issued later is accepted. */
  readonly time_trusted?: boolean;
}

/** The controller's clock may be behind the bridge's. */
const CLOCK_SLACK_MS = 86_400_000;

/**
 * Returns the pass if the organization signed it for this controller and it has not expired. Does not prove that the
 * sender has the key of the pass.
 */
export const readVerifiedTechnicianPass = (
  text: string,
  { organization_id, site_id, device_id, now, time_trusted = true }: TechnicianPassExpectation,
  verify: (bytes: Uint8Array, signature: Uint8Array) => boolean,
): Result<TechnicianPass> => {
  const read = verifyAndParseSignedDocument(kind, text, (_, ...signed) => verify(...signed));
  if (!read.ok) return read;
  const pass = read.value;
  if (pass.organization_id !== organization_id || pass.site_id !== site_id) {
    return failed([createProblem('site_id', 'wrong_site', 'is another site: the pass is not valid here')]);
  }
  if (pass.device_id !== null && pass.device_id !== device_id) {
    return failed([createProblem('device_id', 'wrong_device', 'is another controller: the pass is not valid here')]);
  }
  const lasts = pass.expires_at - pass.issued_at;
  if (lasts > MAX_TECHNICIAN_PASS_LIFETIME_MS)
    return failed([createProblem('expires_at', 'too_long', 'exceeds the maximum lifetime of a pass')]);
  if (pass.expires_at <= now)
    return failed([createProblem('expires_at', 'expired', 'has passed: the pass has expired')]);
  return time_trusted && pass.issued_at > now + CLOCK_SLACK_MS
    ? failed([createProblem('issued_at', 'not_yet', 'is in the future: the clock of the controller is behind')])
    : read;
};
