import { DAY_MS } from '@lintel/access-core/durations';
import { type Kysely, sql } from 'kysely';
import { hashToken, createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { GuestSessionRow } from '../storage/guest-schema.ts';
import type { Database, MemberRow, OrganizationRow } from '../storage/schema.ts';
import type { Actor } from '../transactions/actor.ts';

const LIFETIME_MS = 30 * DAY_MS;

export const GUEST_SESSION_LIFETIME_SECONDS = LIFETIME_MS / 1000;

/** The credential with which the guest signed in. */
type SignInCredential = Pick<Actor, 'member_magic_link_id' | 'member_email_id'>;

/** Of the organization. */
export type GuestPageSettings = Pick<OrganizationRow, 'guest_contact_name' | 'guest_contact_phone' | 'guest_pins'>;

export interface AuthenticatedGuestMember {
  readonly member: MemberRow;
  readonly organizationName: string;
  readonly settings: GuestPageSettings;
  readonly credential: SignInCredential;
}

/** Always creates a new token, which prevents session fixation. */
export const openGuestSession = async (
  db: Kysely<Database>,
  members: readonly AuthenticatedGuestMember[],
  now: number,
): Promise<string> => {
  const token = createSecretToken('lgs_');
  const rows = members.map(
    ({ member, credential }): GuestSessionRow => ({
      hash: hashToken(token),
      member_id: member.id,
      organization_id: member.organization_id,
      member_magic_link_id: credential.member_magic_link_id ?? null,
      member_email_id: credential.member_email_id ?? null,
      created_at: now,
      expires_at: now + LIFETIME_MS,
    }),
  );
  await db.insertInto('guest_sessions').values(rows).execute();
  await db.deleteFrom('guest_sessions').where('expires_at', '<=', now).execute();
  return token;
};

export const deleteGuestSessionByToken = async (db: Kysely<Database>, token: string): Promise<void> => {
  await db.deleteFrom('guest_sessions').where('hash', '=', hashToken(token)).execute();
};

/** A member and the columns of its organization that a guest page needs. */
export const splitGuestRow = <R extends MemberRow & GuestPageSettings & { readonly organization_name: string }>({
  organization_name: organizationName,
  guest_contact_name,
  guest_contact_phone,
  guest_pins,
  ...member
}: R) => ({ member, organizationName, settings: { guest_contact_name, guest_contact_phone, guest_pins } });

type SessionMember = MemberRow &
  GuestPageSettings & {
    readonly organization_name: string;
    readonly link_id: string | null;
    readonly email_id: string | null;
  };

/** The members of the session, including ended and deleted ones; empty after its credential is deleted. */
export const findGuestSessionMembers = async (
  db: Kysely<Database>,
  token: string,
  now: number,
): Promise<AuthenticatedGuestMember[]> => {
  const { rows } = await sql<SessionMember>`select m.*, o.name as organization_name,
      o.guest_contact_name, o.guest_contact_phone, o.guest_pins, l.id as link_id, e.id as email_id
    from guest_sessions as s
    inner join organizations as o on o.id = s.organization_id and o.is_deleted = 0
    inner join members as m on m.id = s.member_id
    left join member_magic_links as l on l.id = s.member_magic_link_id and l.is_deleted = 0
    left join member_emails as e on e.id = s.member_email_id and e.is_deleted = 0
    where s.hash = ${hashToken(token)} and s.expires_at > ${now} and (l.id is not null or e.id is not null)
    order by m.created_at, m.id`.execute(db);
  return rows.map(({ link_id, email_id, ...row }) => ({
    ...splitGuestRow(row),
    credential: {
      ...(link_id === null ? {} : { member_magic_link_id: link_id }),
      ...(email_id === null ? {} : { member_email_id: email_id }),
    },
  }));
};

/** Why the access of the member has ended; null if the member still has access. */
export const findAccessEndReason = (member: MemberRow, now: number): 'member_deleted' | 'member_ended' | null => {
  if (member.is_deleted === 1) return 'member_deleted';
  return member.ends_at !== null && member.ends_at <= now ? 'member_ended' : null;
};
