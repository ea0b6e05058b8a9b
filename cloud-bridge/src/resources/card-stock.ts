import { invalidFieldError } from '../http/api-error.ts';
import type { CardRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

/** Codes that identify a card besides its id. */
export type CardCodeField = 'uid' | 'printed_code';

type StockCardSelector = { readonly [field in 'id' | CardCodeField]?: string | undefined };

/** Finds an unassigned card in the manufacturer's stock by id, else by printed code, else by UID. */
export const findStockCard = async (
  { db }: WriteContext,
  selector: StockCardSelector,
): Promise<CardRow | undefined> => {
  const field = (['id', 'printed_code', 'uid'] as const).find(name => selector[name] !== undefined);
  if (field === undefined) return undefined;
  return db
    .selectFrom('cards')
    .selectAll()
    .where('organization_id', 'is', null)
    .where('is_deleted', '=', 0)
    .where(field, '=', selector[field]!)
    .executeTakeFirst();
};

/** Assigns the card only if it is still unassigned, because no organization's lock protects the stock. */
export const assignStockCard = async ({ db }: WriteContext, { id, ...columns }: CardRow): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('cards')
    .set(columns)
    .where('id', '=', id)
    .where('organization_id', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw invalidFieldError('id', `Card ${id} is no longer unassigned`, { id });
};
