import type { OrganizationId, SiteId } from '@lintel/access-core/ids';
import { failed, problem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { milliseconds, version } from '../mqtt/message-fields.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { encodeDocument, readDocument, type Sign } from '../signing/signed-document.ts';

/*
 * What a technician shows to a claimed controller of one site, which knows the organization's key and checks it without
 * the internet. A document signed by the organization.
 */

export const PASS_LIFETIME_MS = 7 * 86_400_000;

export const technicianPass = z.object({
  v: version,
  /** Named with whatever is done under it. */
  id: z.string().min(1).max(100),
  organization_id: idOf('organization'),
  site_id: idOf('site'),
  user_id: idOf('user').nullable(),
  issued_at: milliseconds,
  expires_at: milliseconds,
});
export type TechnicianPass = z.infer<typeof technicianPass>;

const kind = { domain: 'lintel technician pass 1', name: 'technician pass', schema: technicianPass } as const;

export const encodeTechnicianPass = (pass: TechnicianPass, sign: Sign): string => encodeDocument(kind, pass, sign);

export interface PassExpectation {
  readonly organization_id: OrganizationId;
  readonly site_id: SiteId;
  /** The controller's time, or its floor: a clock that is behind makes a pass last longer, never a future one valid. */
  readonly now: number;
  /** False: `now` is only a floor, as after weeks without power. A pass from later says no more than that it was. */
  readonly time_trusted?: boolean;
}

/** The clock of a controller may be behind the bridge's. */
const CLOCK_SLACK_MS = 86_400_000;

/** The pass, if the organization's key has signed it for this site and its week is not over. */
export const readTechnicianPass = (
  text: string,
  { organization_id, site_id, now, time_trusted = true }: PassExpectation,
  verify: (bytes: Uint8Array, signature: Uint8Array) => boolean,
): Result<TechnicianPass> => {
  const read = readDocument(kind, text, (_, ...signed) => verify(...signed));
  if (!read.ok) return read;
  const pass = read.value;
  if (pass.organization_id !== organization_id || pass.site_id !== site_id) {
    return failed([problem('site_id', 'wrong_site', 'is another site: the pass does not count here')]);
  }
  const lasts = pass.expires_at - pass.issued_at;
  if (lasts > PASS_LIFETIME_MS) return failed([problem('expires_at', 'too_long', 'is later than a pass may last')]);
  if (pass.expires_at <= now) return failed([problem('expires_at', 'expired', 'has passed: the pass is too old')]);
  return time_trusted && pass.issued_at > now + CLOCK_SLACK_MS
    ? failed([problem('issued_at', 'not_yet', 'is in the future: the clock of the controller is behind')])
    : read;
};
