import type { MemberCardCreate } from '@lintel/wire-protocol/rest/member-card';
import type { MetadataPatch } from '@lintel/wire-protocol/rest/metadata';
import { invalid } from '../http/api-error.ts';
import type { CardRow, MemberCardRow } from '../storage/schema.ts';
import { insertRow, requireReference, requireRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { createCard, findLivingCard } from './cards.ts';
import { findStockCard } from './card-stock.ts';
import {
  type CredentialAddress,
  deleteCredential,
  editCredential,
  newCredential,
  tellOfCredential,
} from './member-credentials.ts';

type ShownMemberCard = MemberCardRow & Pick<CardRow, 'uid' | 'printed_code' | 'name'>;

const shown = (row: MemberCardRow, { uid, printed_code, name }: CardRow): ShownMemberCard => ({
  ...row,
  uid,
  printed_code,
  name,
});

const withItsCard = async (context: WriteContext, row: MemberCardRow): Promise<ShownMemberCard> =>
  shown(row, await requireRow(context, 'cards', 'card', row.card_id));

/** The living member card through which a living member has the card. */
const holderOf = ({ db }: WriteContext, cardId: string) =>
  db
    .selectFrom('member_cards as held')
    .innerJoin('members as member', 'member.id', 'held.member_id')
    .select(['held.id', 'held.member_id'])
    .where('held.card_id', '=', cardId)
    .where('held.is_deleted', '=', 0)
    .where('member.is_deleted', '=', 0)
    .executeTakeFirst();

const cardNamed = async (context: WriteContext, { card_id, uid, printed_code }: MemberCardCreate): Promise<CardRow> => {
  if (card_id !== undefined) return requireReference(context, 'cards', 'card_id', card_id);
  const [field, value] = uid === undefined ? (['printed_code', printed_code!] as const) : (['uid', uid] as const);
  const known = await findLivingCard(context, field, value);
  if (known !== undefined) return known;
  if (field === 'printed_code' && (await findStockCard(context, { printed_code: value })) === undefined) {
    throw invalid(field, `${field}: there is no card with ${value} on it`);
  }
  return createCard(context, { [field]: value, name: '', metadata: {} });
};

export const createMemberCard = async (
  context: WriteContext,
  memberId: string,
  body: MemberCardCreate,
): Promise<ShownMemberCard> => {
  const credential = await newCredential(context, 'member_card', memberId, body.metadata);
  const card = await cardNamed(context, body);
  const holder = await holderOf(context, card.id);
  if (holder !== undefined) {
    const field = (['card_id', 'uid', 'printed_code'] as const).find(name => body[name] !== undefined)!;
    throw invalid(field, `The card is already in use by member ${holder.member_id}`, { id: holder.id });
  }
  const row = await insertRow(context, 'member_cards', { ...credential, card_id: card.id });
  tellOfCredential(context, 'create', 'member_card', row);
  return shown(row, card);
};

export const editMemberCard = async (
  context: WriteContext,
  address: CredentialAddress,
  body: { readonly metadata?: MetadataPatch | undefined },
): Promise<ShownMemberCard> => withItsCard(context, await editCredential(context, 'member_card', address, body));

export const deleteMemberCard = async (context: WriteContext, address: CredentialAddress): Promise<ShownMemberCard> =>
  withItsCard(context, await deleteCredential(context, 'member_card', address));

/** Before a member is undeleted: nobody may have got one of its cards meanwhile. A deleted card works for nobody. */
export const requireCardsStillFree = async (context: WriteContext, memberId: string): Promise<void> => {
  const own = await context.db
    .selectFrom('member_cards as held')
    .innerJoin('cards as card', 'card.id', 'held.card_id')
    .select(['held.id', 'held.card_id'])
    .where('held.member_id', '=', memberId)
    .where('held.organization_id', '=', context.organizationId)
    .where('held.is_deleted', '=', 0)
    .where('card.is_deleted', '=', 0)
    .execute();
  for (const { id, card_id } of own) {
    if ((await holderOf(context, card_id)) === undefined) continue;
    throw invalid('is_deleted', `The card of member card ${id} is in use by another member meanwhile`, { id });
  }
};
