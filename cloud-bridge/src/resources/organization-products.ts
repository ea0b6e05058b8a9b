import { failed, type Problem } from '@lintel/access-core/result';
import { type ProductFields, productFields } from '@lintel/hardware-profiles/product-fields';
import type { redemption } from '@lintel/wire-protocol/claiming/redemption';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import type * as z from 'zod';
import { invalid, orThrow } from '../http/api-error.ts';
import type { ProductRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/writer.ts';

const MOST_OWN_PRODUCTS = 100;

type ToldProduct = Pick<z.output<typeof redemption>, 'product_id' | 'revision_id' | 'product'>;

const findShipped = ({ db }: WriteContext, id: string): Promise<ProductRow | undefined> =>
  db.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirst();

const findOwn = ({ db, organizationId }: WriteContext, id: string): Promise<ProductRow | undefined> =>
  db
    .selectFrom('organization_products')
    .select(['id', 'name', 'revision_id', 'capabilities'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();

/** A shipped one goes before one of the organization's own. */
export const findProduct = async (context: WriteContext, id: string): Promise<ProductRow | undefined> =>
  (await findShipped(context, id)) ?? findOwn(context, id);

const inRequest = (problem: Problem): Problem => {
  const { path } = problem;
  if (path === 'product_id') return problem;
  return { ...problem, path: path === 'revision' ? 'revision_id' : `product.${path}` };
};

const checked = ({ product_id, revision_id, product }: ToldProduct): ProductFields => {
  const read = parseWith(productFields, { product_id, revision: revision_id, ...product });
  return orThrow(read.ok ? read : failed(read.problems.map(inRequest)));
};

const requireRoom = async ({ db, organizationId }: WriteContext): Promise<void> => {
  const { count } = await db
    .selectFrom('organization_products')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (Number(count) < MOST_OWN_PRODUCTS) return;
  throw invalid('product', `An organization has at most ${MOST_OWN_PRODUCTS} products of its own`);
};

/**
 * Keeps what a controller says of a product that does not come with the bridge, and answers it. Null where it says
 * nothing, and for a shipped product, of which the bridge knows better. Another revision takes the place of the one
 * before; one revision cannot mean two things.
 */
export const keepOwnProduct = async (context: WriteContext, told: ToldProduct): Promise<ProductRow | null> => {
  if (told.product === undefined || told.product_id === null) return null;
  if ((await findShipped(context, told.product_id)) !== undefined) return null;
  const { product_id: id, name, revision: revision_id, ...rest } = checked(told);
  const row: ProductRow = { id, name, revision_id, capabilities: JSON.stringify(rest.capabilities) };
  const known = await findOwn(context, id);
  if (known?.revision_id === revision_id) {
    if (known.capabilities === row.capabilities) return known;
    const message = `Revision ${revision_id} of ${id} is known with other capabilities: give this one another revision`;
    throw invalid('revision_id', message, { id });
  }
  if (known === undefined) await requireRoom(context);
  const { id: _, ...columns } = row;
  await context.db
    .insertInto('organization_products')
    .values({ organization_id: context.organizationId, ...row })
    .onConflict(conflict => conflict.columns(['organization_id', 'id']).doUpdateSet(columns))
    .execute();
  return row;
};
