import { sql } from 'kysely';
import { blindMagicLink } from '../resources/magic-link-tokens.ts';
import type { Services } from '../services.ts';
import type { MemberRow } from '../storage/schema.ts';
import type { Membership } from './guest-sessions.ts';

type Lookup = Pick<Services, 'storage' | 'masterKeys'>;

type FoundMember = MemberRow & { readonly organization_name: string; readonly credential_id: string };

const byBlind = async ({ storage, masterKeys }: Lookup, token: string): Promise<FoundMember | undefined> => {
  const blinds = masterKeys.versions.map(version => blindMagicLink(masterKeys.keys(version), token));
  const { rows } = await sql<FoundMember>`select m.*, o.name as organization_name, l.id as credential_id
    from member_magic_links as l
    inner join members as m on m.id = l.member_id
    inner join organizations as o on o.id = l.organization_id and o.is_deleted = 0
    where l.blind in (${sql.join(blinds)}) and l.is_deleted = 0`.execute(storage.reader);
  return rows[0];
};

/** A rotation beside this bridge may have brought a key that it has not read yet. True when there was one. */
const learnNewKey = async ({ storage, masterKeys }: Lookup): Promise<boolean> => {
  const { rows } = await sql<{ newest: number | null }>`select max(key_version) as newest from organizations`.execute(
    storage.reader,
  );
  const newest = rows[0]?.newest ?? masterKeys.currentVersion;
  if (masterKeys.versions.includes(newest)) return false;
  masterKeys.keys(newest);
  return true;
};

/** Whom a magic link stands for; null when there is no such link, or none any more. */
export const memberOfLink = async (services: Lookup, token: string): Promise<Membership | null> => {
  const found =
    (await byBlind(services, token)) ?? ((await learnNewKey(services)) ? await byBlind(services, token) : undefined);
  if (found === undefined) return null;
  const { organization_name, credential_id, ...member } = found;
  return { member, organizationName: organization_name, proof: { member_magic_link_id: credential_id } };
};

/** Everyone who has this address, in whatever organization; each member once. */
export const membersOfEmail = async ({ storage }: Lookup, email: string): Promise<Membership[]> => {
  const { rows } = await sql<FoundMember>`select m.*, o.name as organization_name, e.id as credential_id
    from member_emails as e
    inner join members as m on m.id = e.member_id and m.is_deleted = 0
    inner join organizations as o on o.id = e.organization_id and o.is_deleted = 0
    where lower(e.email) = lower(${email}) and e.is_deleted = 0
    order by e.created_at, e.id`.execute(storage.reader);
  const memberships = new Map<string, Membership>();
  for (const { organization_name, credential_id, ...member } of rows) {
    if (memberships.has(member.id)) continue;
    const proof = { member_email_id: credential_id };
    memberships.set(member.id, { member, organizationName: organization_name, proof });
  }
  return [...memberships.values()];
};
