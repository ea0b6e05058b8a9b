import type * as z from 'zod';
import { profileFields } from './profile-fields.ts';

/** What a profile says of its product to those who never see the wires. */
export const productFields = profileFields.pick({ product_id: true, name: true, revision: true, capabilities: true });
export type ProductFields = z.infer<typeof productFields>;

/** What a bridge is told that has no file of this profile. */
export const productOf = ({ name, capabilities }: ProductFields): Pick<ProductFields, 'name' | 'capabilities'> => ({
  name,
  capabilities,
});
