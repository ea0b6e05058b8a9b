import type { OAuthApplicationId, UserId } from '@lintel/access-core/ids';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import * as z from 'zod';

/** Who works at the controller. Under the setup code nobody knows who it is. */
export interface Technician {
  readonly pass_id: string | null;
  readonly user_id: UserId | null;
  /** The application that acts for them, or by itself. */
  readonly oauth_application_id?: OAuthApplicationId | null;
  /** Far away: the organization's signed word says who it is. */
  readonly is_remote?: boolean;
}

const kept = z.object({
  pass_id: z.string().nullable(),
  user_id: z.string().nullable(),
  oauth_application_id: z.string().nullable().exactOptional(),
  is_remote: z.boolean().exactOptional(),
});

/** As it was kept over a restart; null where nobody was, or it cannot be read any more. */
export const readTechnician = (saved: unknown): Technician | null =>
  (kept.safeParse(saved).data as Technician | undefined) ?? null;

export const subjectOf = ({ user_id, oauth_application_id = null }: Technician): DeviceEvent['subject'] => {
  if (user_id === null && oauth_application_id === null) return null;
  return {
    ...(user_id === null ? {} : { user_id }),
    ...(oauth_application_id === null ? {} : { oauth_application_id }),
  };
};

const LONGEST_DETAIL = 200;

/** What was done and by which right, for the record. */
export const inDetail = (what: string, { pass_id, is_remote }: Technician): string => {
  const right = is_remote === true ? 'remote' : pass_id === null ? 'setup code' : `pass ${pass_id}`;
  return `${what} (technician, ${right})`.slice(0, LONGEST_DETAIL);
};
