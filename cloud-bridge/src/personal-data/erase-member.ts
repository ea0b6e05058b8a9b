import { sql } from 'kysely';
import { deleteMatchingIdempotentResponses } from '../api/idempotency.ts';
import { deleteCard } from '../resources/cards.ts';
import { deleteMember } from '../resources/members.ts';
import { releasePin } from '../resources/pin-reservations.ts';
import type { Actor } from '../transactions/actor.ts';
import type { OrganizationWriter, WriteContext } from '../transactions/organization-writer.ts';
import { requireRow } from '../transactions/row-operations.ts';

const credentialTables = [
  'member_emails',
  'member_magic_links',
  'member_pins',
  'member_cards',
  'member_tokens',
  'member_group_associations',
] as const;

/** Cards that no other member has. Their UIDs and printed codes identify the person. */
const findOwnCards = async ({ db }: WriteContext, memberId: string): Promise<string[]> => {
  const { rows } = await sql<{ card_id: string }>`select distinct own.card_id from member_cards as own
    where own.member_id = ${memberId} and not exists (
      select 1 from member_cards as other where other.card_id = own.card_id and other.member_id <> ${memberId}
        and other.is_deleted = 0)`.execute(db);
  return rows.map(({ card_id }) => card_id);
};

const eraseCards = async (context: WriteContext, memberId: string): Promise<void> => {
  for (const id of await findOwnCards(context, memberId)) {
    await deleteCard(context, id);
    await context.db
      .updateTable('cards')
      .set({ uid: null, printed_code: null, name: null, metadata: '{}' })
      .where('id', '=', id)
      .execute();
  }
};

/** Login codes and sessions of the guest. */
const eraseGuestAccess = async ({ db }: WriteContext, memberId: string): Promise<void> => {
  await db.deleteFrom('guest_sessions').where('member_id', '=', memberId).execute();
  await sql`delete from guest_codes where lower(email) in (
    select lower(e.email) from member_emails as e where e.member_id = ${memberId})`.execute(db);
};

const eraseCredentials = async (context: WriteContext, memberId: string): Promise<void> => {
  const { db } = context;
  const pins = await db.selectFrom('member_pins').select('id').where('member_id', '=', memberId).execute();
  for (const { id } of pins) await releasePin(context, id);
  for (const table of credentialTables) {
    await sql`delete from seed_keys where object_id in (
      select c.id from ${sql.table(table)} as c where c.member_id = ${memberId})`.execute(db);
    await sql`delete from ${sql.table(table)} where member_id = ${memberId}`.execute(db);
  }
  await db.deleteFrom('seed_keys').where('object_id', '=', memberId).execute();
};

/** What the audit log says about the person: names and dates, also of the person's cards. */
const eraseFromChanges = async ({ db, organizationId }: WriteContext, memberId: string): Promise<void> => {
  const cards = db.selectFrom('member_cards').select('card_id').where('member_id', '=', memberId);
  await db
    .updateTable('events')
    .set({ changes: null })
    .where('organization_id', '=', organizationId)
    .where(eb => eb.or([eb('object_member_id', '=', memberId), eb('object_card_id', 'in', cards)]))
    .execute();
};

/** Events stay, with ids that lead to no person. Pending deliveries are built again from them. */
const eraseFromEvents = async ({ db, organizationId }: WriteContext, memberId: string): Promise<void> => {
  for (const column of ['subject_member_id', 'object_member_id'])
    await sql`update webhook_deliveries set body = null, response_body = null
      where webhook_id in (select w.id from webhooks as w where w.organization_id = ${organizationId})
        and event_id in (select e.id from events as e
          where e.organization_id = ${organizationId} and e.${sql.ref(column)} = ${memberId})`.execute(db);
  await db
    .updateTable('events')
    .set({ subject_ip_address: null, subject_client: null, details: null })
    .where('organization_id', '=', organizationId)
    .where('subject_member_id', '=', memberId)
    .execute();
};

/**
 * Erases all personal data of a member and logs the erasure. The first transaction ends the member's access, so that doors
 * receive the revocation before the data is gone. The second one erases. Repeating it is harmless.
 */
export const eraseMember = async (
  writer: OrganizationWriter,
  organizationId: string,
  actor: Actor,
  memberId: string,
): Promise<void> => {
  await writer.write(organizationId, actor, async context => {
    const { is_deleted } = await requireRow(context, 'members', 'member', memberId);
    if (is_deleted === 0) await deleteMember(context, memberId);
  });
  await writer.write(organizationId, actor, async context => {
    await eraseFromEvents(context, memberId);
    await eraseFromChanges(context, memberId);
    await eraseGuestAccess(context, memberId);
    await eraseCards(context, memberId);
    await eraseCredentials(context, memberId);
    await deleteMatchingIdempotentResponses(context, response => response.includes(memberId));
    await context.db.deleteFrom('member_search_terms').where('member_id', '=', memberId).execute();
    await context.db
      .updateTable('members')
      .set({ name: '', metadata: '{}', language: null, tag_ids: '[]', starts_at: null, ends_at: null })
      .where('id', '=', memberId)
      .execute();
    context.log({ verb: 'delete', reason: 'erased', object: { type: 'member', member_id: memberId } });
    context.markChanged('member', memberId);
  });
};
