import { invalid } from '../http/api-error.ts';
import type { CardRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/writer.ts';

/** What is known of a card without looking it up. */
export type CardCode = 'uid' | 'printed_code';

type Naming = { readonly [field in 'id' | CardCode]?: string | undefined };

/** The maker's unassigned card that an id, or else a printed code, or else a UID names. */
export const findStockCard = async ({ db }: WriteContext, naming: Naming): Promise<CardRow | undefined> => {
  const field = (['id', 'printed_code', 'uid'] as const).find(name => naming[name] !== undefined);
  if (field === undefined) return undefined;
  return db
    .selectFrom('cards')
    .selectAll()
    .where('organization_id', 'is', null)
    .where('is_deleted', '=', 0)
    .where(field, '=', naming[field]!)
    .executeTakeFirst();
};

/** The stock is everybody's and under no organization's lock: of two who reach for a card, one gets it. */
export const takeFromStock = async ({ db }: WriteContext, { id, ...columns }: CardRow): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('cards')
    .set(columns)
    .where('id', '=', id)
    .where('organization_id', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw invalid('id', `Card ${id} is no longer unassigned`, { id });
};
