import type { GuestContact } from '@lintel/wire-protocol/guest/guest-api';
import { type Kysely, sql } from 'kysely';
import { computeMagicLinkBlindIndex } from '../resources/magic-link-sealing-and-blind-index.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Database, OrganizationRow } from '../storage/schema.ts';
import type { AuthenticatedGuestMember } from './guest-sessions.ts';

type ContactColumns = Pick<OrganizationRow, 'id' | 'name' | 'guest_contact_name' | 'guest_contact_phone'>;

const findPhoneOfSite = async (db: Kysely<Database>, organizationId: string): Promise<string | null> => {
  const site = await db
    .selectFrom('sites')
    .select('phone')
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .where('phone', 'is not', null)
    .where('phone', '<>', '')
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();
  return site?.phone ?? null;
};

const toContact = async (db: Kysely<Database>, row: ContactColumns): Promise<GuestContact> => ({
  name: row.guest_contact_name ?? row.name,
  phone: row.guest_contact_phone ?? (await findPhoneOfSite(db, row.id)),
});

/** Whom a guest calls: as the organization has set it, else the organization itself at the telephone of a site. */
export const loadContactOfMember = (
  db: Kysely<Database>,
  { member, organizationName, settings }: AuthenticatedGuestMember,
): Promise<GuestContact> => toContact(db, { ...settings, id: member.organization_id, name: organizationName });

/** The arguments of an error that a guest sees. */
export const toContactArgs = ({ name, phone }: GuestContact): Record<string, string> => ({
  contact_name: name,
  ...(phone === null ? {} : { contact_phone: phone }),
});

/** For a link that is not valid: of the organization that issued it, else of the only organization of the bridge. */
export const loadContactOfInvalidLink = async (
  { storage, masterKeys }: Pick<BridgeServices, 'storage' | 'masterKeys'>,
  token: string,
): Promise<GuestContact | null> => {
  const db = storage.reader;
  const blindIndexes = masterKeys.versions.map(version =>
    computeMagicLinkBlindIndex(masterKeys.derivedKeys(version), token),
  );
  const { rows: issuers } = await sql<ContactColumns>`select o.* from member_magic_links as l
    inner join organizations as o on o.id = l.organization_id and o.is_deleted = 0
    where l.blind in (${sql.join(blindIndexes)})`.execute(db);
  const found =
    issuers.length > 0
      ? issuers
      : await db.selectFrom('organizations').selectAll().where('is_deleted', '=', 0).limit(2).execute();
  const [only, another] = found;
  return only === undefined || another !== undefined ? null : toContact(db, only);
};
