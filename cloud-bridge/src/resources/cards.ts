import { isMissing, refersToNothing } from '@lintel/access-core/problem-texts';
import type { CreateCardRequest, EditCardRequest } from '@lintel/wire-protocol/rest/card';
import { createInvalidFieldError, createValueInUseError, checkAll } from '../http/api-error.ts';
import type { CardRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import { insertRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { deleteMemberCredential } from './member-credentials.ts';
import { type CardCodeName, assignStockCard, findStockCard, createUnknownStockCardError } from './card-stock.ts';

const cards = new ResourceWriter('card', 'cards', { isSynced: false });

export const findActiveCard = ({ db, organizationId }: WriteContext, field: CardCodeName, value: string) =>
  db
    .selectFrom('cards')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(field, '=', value)
    .where('is_deleted', '=', 0)
    .executeTakeFirst();

const requireUnused = async (context: WriteContext, card: Pick<CardRow, CardCodeName>): Promise<void> => {
  const checkField = async (field: CardCodeName): Promise<void> => {
    const value = card[field];
    const other = value === null ? undefined : await findActiveCard(context, field, value);
    if (other !== undefined) throw createValueInUseError(field, 'card', other.id);
  };
  await checkAll([() => checkField('uid'), () => checkField('printed_code')]);
};

/** Merges a code of the request with the stock card. Both must agree. */
const mergeCardCode = (stock: CardRow, body: CreateCardRequest, field: CardCodeName): string | null => {
  const given = body[field] ?? null;
  const known = stock[field];
  if (given !== null && known !== null && given !== known) {
    throw createInvalidFieldError(field, `must be that of the card ${stock.id}`, { id: stock.id });
  }
  return known ?? given;
};

/** A card without a UID would never open a door. */
const requireUid = ({ uid, printed_code }: CardRow, isStockCard: boolean): void => {
  if (uid !== null) return;
  if (isStockCard)
    throw createInvalidFieldError('uid', `${isMissing}: the UID of this card is unknown. Read it at a reader`);
  throw createInvalidFieldError('printed_code', refersToNothing('card with the printed code', printed_code ?? ''));
};

/** Assigns the stock card that the request identifies, or creates a new card. */
export const createOrAssignCard = async (context: WriteContext, body: CreateCardRequest): Promise<CardRow> => {
  const stock = await findStockCard(context, body);
  if (stock === undefined && body.id !== undefined) throw createUnknownStockCardError(body.id);
  const card: CardRow = {
    id: stock?.id ?? context.newId('card'),
    organization_id: context.organizationId,
    is_deleted: 0,
    created_at: context.now,
    metadata: JSON.stringify(body.metadata),
    name: body.name === '' ? (stock?.name ?? '') : body.name,
    uid: stock === undefined ? (body.uid ?? null) : mergeCardCode(stock, body, 'uid'),
    printed_code: stock === undefined ? (body.printed_code ?? null) : mergeCardCode(stock, body, 'printed_code'),
    reserved_for: null,
  };
  await requireUnused(context, card);
  requireUid(card, stock !== undefined);
  if (stock === undefined) await insertRow(context, 'cards', card);
  else await assignStockCard(context, card);
  cards.recordChange(context, 'create', card);
  return card;
};

export const editCard = async (context: WriteContext, id: string, body: EditCardRequest): Promise<CardRow> =>
  cards.edit(context, await cards.requireActive(context, id), body, { name: body.name });

/** Also deletes its member cards, because a new card of another member may get the same UID. */
export const deleteCard = (context: WriteContext, id: string): Promise<CardRow> =>
  cards.delete(context, id, async () => {
    const memberCards = await context.db
      .selectFrom('member_cards')
      .select(['id', 'member_id'])
      .where('card_id', '=', id)
      .where('is_deleted', '=', 0)
      .execute();
    for (const memberCard of memberCards) {
      await deleteMemberCredential(context, 'member_card', { parentId: memberCard.member_id, id: memberCard.id });
    }
  });
