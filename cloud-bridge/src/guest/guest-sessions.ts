import { type Kysely, sql } from 'kysely';
import { hashToken, newToken } from '../secrets/token-hash.ts';
import type { GuestSessionRow } from '../storage/guest-schema.ts';
import type { Database, MemberRow } from '../storage/schema.ts';
import type { Actor } from '../transactions/actor.ts';

const DAY_MS = 86_400_000;
const LONGEST_MS = 30 * DAY_MS;

export const GUEST_SESSION_SECONDS = LONGEST_MS / 1000;

/** A member, and the credential by which somebody proved to be it. */
type Proof = Pick<Actor, 'member_magic_link_id' | 'member_email_id'>;

export interface Membership {
  readonly member: MemberRow;
  readonly organizationName: string;
  readonly proof: Proof;
}

/** Always under a new token, so that one planted beforehand is worth nothing. */
export const openGuestSession = async (
  db: Kysely<Database>,
  memberships: readonly Membership[],
  now: number,
): Promise<string> => {
  const token = newToken('lgs_');
  const rows = memberships.map(
    ({ member, proof }): GuestSessionRow => ({
      hash: hashToken(token),
      member_id: member.id,
      organization_id: member.organization_id,
      member_magic_link_id: proof.member_magic_link_id ?? null,
      member_email_id: proof.member_email_id ?? null,
      created_at: now,
      expires_at: now + LONGEST_MS,
    }),
  );
  await db.insertInto('guest_sessions').values(rows).execute();
  await db.deleteFrom('guest_sessions').where('expires_at', '<=', now).execute();
  return token;
};

export const closeGuestSession = async (db: Kysely<Database>, token: string): Promise<void> => {
  await db.deleteFrom('guest_sessions').where('hash', '=', hashToken(token)).execute();
};

type SessionMember = MemberRow & {
  readonly organization_name: string;
  readonly link_id: string | null;
  readonly email_id: string | null;
};

/** Whom the session stands for; nobody once its credential is deleted. Deleted and ended members are among them. */
export const findGuestSession = async (db: Kysely<Database>, token: string, now: number): Promise<Membership[]> => {
  const { rows } = await sql<SessionMember>`select m.*, o.name as organization_name, l.id as link_id, e.id as email_id
    from guest_sessions as s
    inner join organizations as o on o.id = s.organization_id and o.is_deleted = 0
    inner join members as m on m.id = s.member_id
    left join member_magic_links as l on l.id = s.member_magic_link_id and l.is_deleted = 0
    left join member_emails as e on e.id = s.member_email_id and e.is_deleted = 0
    where s.hash = ${hashToken(token)} and s.expires_at > ${now} and (l.id is not null or e.id is not null)
    order by m.created_at, m.id`.execute(db);
  return rows.map(({ organization_name, link_id, email_id, ...member }) => ({
    member,
    organizationName: organization_name,
    proof: {
      ...(link_id === null ? {} : { member_magic_link_id: link_id }),
      ...(email_id === null ? {} : { member_email_id: email_id }),
    },
  }));
};

/** Why a member can do nothing here any more; null while it can, or will. */
export const pastReason = (member: MemberRow, now: number): 'member_deleted' | 'member_ended' | null => {
  if (member.is_deleted === 1) return 'member_deleted';
  return member.ends_at !== null && member.ends_at <= now ? 'member_ended' : null;
};
