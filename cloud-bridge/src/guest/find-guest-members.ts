import { sql } from 'kysely';
import { computeMagicLinkBlindIndex } from '../resources/magic-link-sealing-and-blind-index.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { MemberRow } from '../storage/schema.ts';
import { type AuthenticatedGuestMember, type GuestPageSettings, splitGuestRow } from './guest-sessions.ts';

type LookupServices = Pick<BridgeServices, 'storage' | 'masterKeys'>;

type FoundMember = MemberRow &
  GuestPageSettings & { readonly organization_name: string; readonly credential_id: string };

const ORGANIZATION = sql.raw('o.name as organization_name, o.guest_contact_name, o.guest_contact_phone, o.guest_pins');

const findByMagicLink = async (
  { storage, masterKeys }: LookupServices,
  token: string,
): Promise<FoundMember | undefined> => {
  const blindIndexes = masterKeys.versions.map(version =>
    computeMagicLinkBlindIndex(masterKeys.derivedKeys(version), token),
  );
  const { rows } = await sql<FoundMember>`select m.*, ${ORGANIZATION}, l.id as credential_id
    from member_magic_links as l
    inner join members as m on m.id = l.member_id
    inner join organizations as o on o.id = l.organization_id and o.is_deleted = 0
    where l.blind in (${sql.join(blindIndexes)}) and l.is_deleted = 0`.execute(storage.reader);
  return rows[0];
};

/** Loads a master key that another process has added by a rotation. Returns whether there was one. */
const loadNewMasterKey = async ({ storage, masterKeys }: LookupServices): Promise<boolean> => {
  const { rows } = await sql<{ newest: number | null }>`select max(key_version) as newest from organizations`.execute(
    storage.reader,
  );
  const newestVersion = rows[0]?.newest ?? masterKeys.currentVersion;
  if (masterKeys.versions.includes(newestVersion)) return false;
  masterKeys.derivedKeys(newestVersion);
  return true;
};

/** Null if the link is unknown or deleted. */
export const findMemberByMagicLink = async (
  services: LookupServices,
  token: string,
): Promise<AuthenticatedGuestMember | null> => {
  const found =
    (await findByMagicLink(services, token)) ??
    ((await loadNewMasterKey(services)) ? await findByMagicLink(services, token) : undefined);
  if (found === undefined) return null;
  const { credential_id, ...row } = found;
  return { ...splitGuestRow(row), credential: { member_magic_link_id: credential_id } };
};

/** All members with this address in all organizations, each member once. */
export const findMembersByEmail = async (
  { storage }: LookupServices,
  email: string,
): Promise<AuthenticatedGuestMember[]> => {
  const { rows } = await sql<FoundMember>`select m.*, ${ORGANIZATION}, e.id as credential_id
    from member_emails as e
    inner join members as m on m.id = e.member_id and m.is_deleted = 0
    inner join organizations as o on o.id = e.organization_id and o.is_deleted = 0
    where lower(e.email) = lower(${email}) and e.is_deleted = 0
    order by e.created_at, e.id`.execute(storage.reader);
  const members = new Map<string, AuthenticatedGuestMember>();
  for (const { credential_id, ...row } of rows) {
    if (members.has(row.id)) continue;
    members.set(row.id, { ...splitGuestRow(row), credential: { member_email_id: credential_id } });
  }
  return [...members.values()];
};
