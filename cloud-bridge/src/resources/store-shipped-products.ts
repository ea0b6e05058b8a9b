import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { Kysely } from 'kysely';
import type { Database, ProductRow } from '../storage/schema.ts';

const rowOf = ({ product_id, name, revision, capabilities }: Profile): ProductRow => ({
  id: product_id,
  name,
  revision_id: revision,
  capabilities: JSON.stringify(capabilities),
});

/** Inserts and updates products. Keeps products without a profile, because devices may use them. */
export const storeShippedProducts = async (db: Kysely<Database>, profiles: readonly Profile[]): Promise<void> => {
  const known = new Map((await db.selectFrom('products').selectAll().execute()).map(row => [row.id, row]));
  const differs = (row: ProductRow): boolean => {
    const before = known.get(row.id);
    return (
      before?.name !== row.name || before.revision_id !== row.revision_id || before.capabilities !== row.capabilities
    );
  };
  for (const { id, ...columns } of profiles.map(rowOf).filter(differs)) {
    await db
      .insertInto('products')
      .values({ id, ...columns })
      .onConflict(conflict => conflict.column('id').doUpdateSet(columns))
      .execute();
  }
};
