import type { OAuthApplicationId, UserId } from '@lintel/access-core/ids';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { TechnicianIdentity } from '@lintel/wire-protocol/technician/input-rules';
import * as z from 'zod';

interface TechnicianProof {
  readonly pass?: string;
  readonly request_id?: string;
}

/** The technician who acts. Unknown when logged in with the setup code. */
export interface ActingTechnician {
  readonly pass_id: string | null;
  readonly user_id: UserId | null;
  /** As the bridge knew it when it issued the pass or sent the request. */
  readonly user_name?: string | null;
  /** The application that acts for the technician or by itself. */
  readonly oauth_application_id?: OAuthApplicationId | null;
  /** What proves to the bridge who it is: the signed pass, or the request of the bridge. */
  readonly proof?: TechnicianProof;
  /** Acts through the bridge, identified by a request that the organization signed. */
  readonly is_remote?: boolean;
}

const technicianSchema = z.object({
  pass_id: z.string().nullable(),
  user_id: z.string().nullable(),
  user_name: z.string().nullable().exactOptional(),
  oauth_application_id: z.string().nullable().exactOptional(),
  proof: z.object({ pass: z.string().exactOptional(), request_id: z.string().exactOptional() }).exactOptional(),
  is_remote: z.boolean().exactOptional(),
});

/** From saved state; null when absent or unreadable. */
export const parseActingTechnician = (saved: unknown): ActingTechnician | null =>
  (technicianSchema.safeParse(saved).data as ActingTechnician | undefined) ?? null;

/** Who did it, for people at the controller. */
export const toTechnicianIdentity = ({
  user_id,
  pass_id,
  user_name = null,
}: Pick<ActingTechnician, 'user_id' | 'pass_id' | 'user_name'>): TechnicianIdentity => ({
  user_id,
  pass_id,
  user_name,
});

export const toTechnicianEventSubject = ({
  user_id,
  oauth_application_id = null,
  proof = {},
}: ActingTechnician): DeviceEvent['subject'] => {
  if (user_id === null && oauth_application_id === null) return null;
  return {
    ...(user_id === null ? {} : { user_id }),
    ...(oauth_application_id === null ? {} : { oauth_application_id }),
    ...proof,
  };
};

const LONGEST_DETAIL = 200;

/** The detail of an event: what was done, and with which credential. */
export const describeTechnicianAction = (what: string, { pass_id, is_remote }: ActingTechnician): string => {
  const right = is_remote === true ? 'remote' : pass_id === null ? 'setup code' : `pass ${pass_id}`;
  return `${what} (technician, ${right})`.slice(0, LONGEST_DETAIL);
};

/** For people at the controller: the proofs are for the bridge only. */
export const withoutProofs = ({ peer_request: _, subject, ...event }: DeviceEvent): DeviceEvent => {
  if (subject == null) return subject === undefined ? event : { ...event, subject };
  const { pass: __, request_id: ___, ...shown } = subject;
  return { ...event, subject: shown };
};
