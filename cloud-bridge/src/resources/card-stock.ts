import { type ApiError, invalidFieldError } from '../http/api-error.ts';
import type { CardRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

/** Codes that identify a card besides its id. */
export type CardCodeField = 'uid' | 'printed_code';

type StockCardSelector = { readonly [field in 'id' | CardCodeField]?: string | undefined };

/** The same error whether the card does not exist, is reserved or is already assigned. */
export const unknownStockCardError = (id: string): ApiError =>
  invalidFieldError('id', `id: no unassigned card ${id} exists`, { id });

/** Printed code and UID together show that someone has the card: the code is on it, and only a reader shows the UID. */
const provesPossession = ({ uid, printed_code }: CardRow, selector: StockCardSelector): boolean =>
  uid !== null && printed_code !== null && uid === selector.uid && printed_code === selector.printed_code;

/**
 * Finds a card in the manufacturer's stock by id, else by printed code, else by UID. The organization must have received
 * it, or prove that it has it if no organization has received it.
 */
export const findStockCard = async (
  { db, organizationId }: WriteContext,
  selector: StockCardSelector,
): Promise<CardRow | undefined> => {
  const field = (['id', 'printed_code', 'uid'] as const).find(name => selector[name] !== undefined);
  if (field === undefined) return undefined;
  const matching = await db
    .selectFrom('cards')
    .selectAll()
    .where('organization_id', 'is', null)
    .where('is_deleted', '=', 0)
    .where(field, '=', selector[field]!)
    .execute();
  return (
    matching.find(card => card.reserved_for === organizationId) ??
    matching.find(card => card.reserved_for === null && provesPossession(card, selector))
  );
};

/** Assigns the card only if it is still unassigned, because no organization's lock protects the stock. */
export const assignStockCard = async ({ db }: WriteContext, { id, ...columns }: CardRow): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('cards')
    .set(columns)
    .where('id', '=', id)
    .where('organization_id', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw unknownStockCardError(id);
};
