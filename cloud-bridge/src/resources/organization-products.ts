import { failed, type Problem } from '@lintel/access-core/result';
import { type ProductFields, productFieldsSchema } from '@lintel/hardware-profiles/product-fields';
import type { redeemClaimRequestSchema } from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import type * as z from 'zod';
import { createInvalidFieldError, unwrapOrThrow } from '../http/api-error.ts';
import type { ProductRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

const MAX_OWN_PRODUCTS = 100;

type ReportedProduct = Pick<z.output<typeof redeemClaimRequestSchema>, 'product_id' | 'revision_id' | 'product'>;

const findShipped = ({ db }: WriteContext, id: string): Promise<ProductRow | undefined> =>
  db.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirst();

const findOwn = ({ db, organizationId }: WriteContext, id: string): Promise<ProductRow | undefined> =>
  db
    .selectFrom('organization_products')
    .select(['id', 'name', 'revision_id', 'capabilities'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();

/** A product shipped with the bridge takes precedence over the organization's own product. */
export const findProduct = async (context: WriteContext, id: string): Promise<ProductRow | undefined> =>
  (await findShipped(context, id)) ?? findOwn(context, id);

const toRequestProblem = (problem: Problem): Problem => {
  const { path } = problem;
  if (path === 'product_id') return problem;
  return { ...problem, path: path === 'revision' ? 'revision_id' : `product.${path}` };
};

const parseReportedProduct = ({ product_id, revision_id, product }: ReportedProduct): ProductFields => {
  const parsed = parseWithSchema(productFieldsSchema, { product_id, revision: revision_id, ...product });
  return unwrapOrThrow(parsed.ok ? parsed : failed(parsed.problems.map(toRequestProblem)));
};

const requireBelowProductLimit = async ({ db, organizationId }: WriteContext): Promise<void> => {
  const { count } = await db
    .selectFrom('organization_products')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (Number(count) < MAX_OWN_PRODUCTS) return;
  throw createInvalidFieldError(
    'product',
    `is one too many: an organization has at most ${MAX_OWN_PRODUCTS} products of its own`,
  );
};

/**
 * Stores a product that a controller reports and that is not shipped with the bridge. Returns null when nothing is reported
 * or the product is shipped. A new revision replaces the old one; the same revision must have the same capabilities.
 */
export const storeReportedProduct = async (
  context: WriteContext,
  reported: ReportedProduct,
): Promise<ProductRow | null> => {
  if (reported.product === undefined || reported.product_id === null) return null;
  if ((await findShipped(context, reported.product_id)) !== undefined) return null;
  const { product_id: id, name, revision: revision_id, ...rest } = parseReportedProduct(reported);
  const row: ProductRow = { id, name, revision_id, capabilities: JSON.stringify(rest.capabilities) };
  const known = await findOwn(context, id);
  if (known?.revision_id === revision_id) {
    if (known.capabilities === row.capabilities) return known;
    const message = `must be another revision: ${revision_id} of ${id} already exists with other capabilities`;
    throw createInvalidFieldError('revision_id', message, { id });
  }
  if (known === undefined) await requireBelowProductLimit(context);
  const { id: _, ...columns } = row;
  await context.db
    .insertInto('organization_products')
    .values({ organization_id: context.organizationId, ...row })
    .onConflict(conflict => conflict.columns(['organization_id', 'id']).doUpdateSet(columns))
    .execute();
  return row;
};
