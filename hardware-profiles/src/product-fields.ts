import type * as z from 'zod';
import { profileFieldsSchema } from './profile-fields-schema.ts';

/** The fields of a profile that describe the product without its wiring. */
export const productFieldsSchema = profileFieldsSchema.pick({
  product_id: true,
  name: true,
  revision: true,
  capabilities: true,
});
export type ProductFields = z.infer<typeof productFieldsSchema>;

/** Product data for a bridge that does not have this profile. */
export const pickNameAndCapabilities = ({
  name,
  capabilities,
}: ProductFields): Pick<ProductFields, 'name' | 'capabilities'> => ({
  name,
  capabilities,
});
