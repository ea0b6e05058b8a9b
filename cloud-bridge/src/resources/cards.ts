import type { CardCreate, CardEdit } from '@lintel/wire-protocol/rest/card';
import { invalid } from '../http/api-error.ts';
import type { CardRow } from '../storage/schema.ts';
import { Resource } from '../transactions/resource.ts';
import { insertRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { deleteCredential } from './member-credentials.ts';
import { type CardCode, findStockCard, takeFromStock } from './card-stock.ts';

const cards = new Resource('card', 'cards', { isSynced: false });

export const findLivingCard = ({ db, organizationId }: WriteContext, field: CardCode, value: string) =>
  db
    .selectFrom('cards')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(field, '=', value)
    .where('is_deleted', '=', 0)
    .executeTakeFirst();

const requireUnused = async (context: WriteContext, card: Pick<CardRow, CardCode>): Promise<void> => {
  for (const field of ['uid', 'printed_code'] as const) {
    const value = card[field];
    if (value === null) continue;
    const other = await findLivingCard(context, field, value);
    if (other !== undefined) throw invalid(field, `${field} is already in use by card ${other.id}`, { id: other.id });
  }
};

/** A card of the maker's stock says more than the request: what the request says beyond it must not contradict it. */
const agreed = (stock: CardRow, body: CardCreate, field: CardCode): string | null => {
  const said = body[field] ?? null;
  const known = stock[field];
  if (said !== null && known !== null && said !== known) {
    throw invalid(field, `${field} is not that of card ${stock.id}`, { id: stock.id });
  }
  return known ?? said;
};

/** The maker's card where the request names one, else a new one. */
export const createCard = async (context: WriteContext, body: CardCreate): Promise<CardRow> => {
  const stock = await findStockCard(context, body);
  if (stock === undefined && body.id !== undefined) {
    throw invalid('id', `id: there is no unassigned card ${body.id}`, { id: body.id });
  }
  const card: CardRow = {
    id: stock?.id ?? context.newId('card'),
    organization_id: context.organizationId,
    is_deleted: 0,
    created_at: context.now,
    metadata: JSON.stringify(body.metadata),
    name: body.name,
    uid: stock === undefined ? (body.uid ?? null) : agreed(stock, body, 'uid'),
    printed_code: stock === undefined ? (body.printed_code ?? null) : agreed(stock, body, 'printed_code'),
  };
  await requireUnused(context, card);
  if (stock === undefined) await insertRow(context, 'cards', card);
  else await takeFromStock(context, card);
  cards.record(context, 'create', card);
  return card;
};

export const editCard = async (context: WriteContext, id: string, body: CardEdit): Promise<CardRow> =>
  cards.edit(context, await cards.requireLiving(context, id), body, { name: body.name });

/** Its member cards go with it: another card may get the same UID, and that one is somebody else's. */
export const deleteCard = (context: WriteContext, id: string): Promise<CardRow> =>
  cards.delete(context, id, async () => {
    const holders = await context.db
      .selectFrom('member_cards')
      .select(['id', 'member_id'])
      .where('card_id', '=', id)
      .where('is_deleted', '=', 0)
      .execute();
    for (const held of holders) {
      await deleteCredential(context, 'member_card', { parentId: held.member_id, id: held.id });
    }
  });
