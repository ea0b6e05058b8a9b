import { refersToNothing } from '@lintel/access-core/problem-texts';
import type { CreateMemberCardRequest } from '@lintel/wire-protocol/rest/member-card';
import type { MetadataPatch } from '@lintel/wire-protocol/rest/metadata-and-tags';
import { createInvalidFieldError, createValueInUseError } from '../http/api-error.ts';
import type { CardRow, MemberCardRow } from '../storage/schema.ts';
import { insertRow, requireReferencedRow, requireRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { createOrAssignCard, findActiveCard } from './cards.ts';
import { findStockCard } from './card-stock.ts';
import {
  type MemberCredentialRef,
  deleteMemberCredential,
  editMemberCredential,
  createCredentialColumns,
  recordCredentialEvent,
} from './member-credentials.ts';

type MemberCardWithCard = MemberCardRow & Pick<CardRow, 'uid' | 'printed_code' | 'name'>;

const mergeCard = (row: MemberCardRow, { uid, printed_code, name }: CardRow): MemberCardWithCard => ({
  ...row,
  uid,
  printed_code,
  name,
});

const loadWithCard = async (context: WriteContext, row: MemberCardRow): Promise<MemberCardWithCard> =>
  mergeCard(row, await requireRow(context, 'cards', 'card', row.card_id));

/** The member card that assigns the card to a member. Ignores deleted members and member cards. */
const findHolder = ({ db }: WriteContext, cardId: string) =>
  db
    .selectFrom('member_cards as held')
    .innerJoin('members as member', 'member.id', 'held.member_id')
    .select(['held.id', 'held.member_id'])
    .where('held.card_id', '=', cardId)
    .where('held.is_deleted', '=', 0)
    .where('member.is_deleted', '=', 0)
    .executeTakeFirst();

const findOrCreateCard = async (
  context: WriteContext,
  { card_id, uid, printed_code }: CreateMemberCardRequest,
): Promise<CardRow> => {
  if (card_id !== undefined) return requireReferencedRow(context, 'cards', 'card_id', card_id);
  const [field, value] = uid === undefined ? (['printed_code', printed_code!] as const) : (['uid', uid] as const);
  const known = await findActiveCard(context, field, value);
  if (known !== undefined) return known;
  if (field === 'printed_code' && (await findStockCard(context, { printed_code: value })) === undefined) {
    throw createInvalidFieldError(field, refersToNothing('card with the printed code', value));
  }
  return createOrAssignCard(context, { [field]: value, name: '', metadata: {} });
};

export const createMemberCard = async (
  context: WriteContext,
  memberId: string,
  body: CreateMemberCardRequest,
): Promise<MemberCardWithCard> => {
  const credential = await createCredentialColumns(context, 'member_card', memberId, body.metadata);
  const card = await findOrCreateCard(context, body);
  const holder = await findHolder(context, card.id);
  if (holder !== undefined) {
    const field = (['card_id', 'uid', 'printed_code'] as const).find(name => body[name] !== undefined)!;
    const { id, member_id } = holder;
    throw createValueInUseError(field, 'member', member_id, { id, member_id });
  }
  const row = await insertRow(context, 'member_cards', { ...credential, card_id: card.id });
  recordCredentialEvent(context, 'create', 'member_card', row);
  return mergeCard(row, card);
};

export const editMemberCard = async (
  context: WriteContext,
  address: MemberCredentialRef,
  body: { readonly metadata?: MetadataPatch | undefined },
): Promise<MemberCardWithCard> =>
  loadWithCard(context, await editMemberCredential(context, 'member_card', address, body));

export const deleteMemberCard = async (
  context: WriteContext,
  address: MemberCredentialRef,
): Promise<MemberCardWithCard> => loadWithCard(context, await deleteMemberCredential(context, 'member_card', address));

/** Before a member is undeleted: rejects when another member uses one of its cards. Ignores deleted cards. */
export const requireMemberCardsAvailable = async (context: WriteContext, memberId: string): Promise<void> => {
  const memberCards = await context.db
    .selectFrom('member_cards as held')
    .innerJoin('cards as card', 'card.id', 'held.card_id')
    .select(['held.id', 'held.card_id'])
    .where('held.member_id', '=', memberId)
    .where('held.organization_id', '=', context.organizationId)
    .where('held.is_deleted', '=', 0)
    .where('card.is_deleted', '=', 0)
    .execute();
  for (const { id, card_id } of memberCards) {
    if ((await findHolder(context, card_id)) === undefined) continue;
    throw createInvalidFieldError(
      'is_deleted',
      `cannot be false: another member has the card of the member card ${id} now. Delete one of both first`,
      {
        id,
      },
    );
  }
};
