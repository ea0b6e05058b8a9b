import { denialReasons } from '@lintel/access-core/access-data-types';
import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** The keys of one entry, since the keypad was idle. */
export const virtualKeypadEntryRequestSchema = z.strictObject({
  keys: z.string().regex(/^[0-9*#]{1,40}$/, 'must have 1 to 40 of the keys 0 to 9, * and #'),
});

/**
 * `incomplete`: the keypad waits for more keys. `cleared`: the keys match no rule, or `*` ended the entry. Only
 * `granted` and `denied` name a gadget.
 */
export const virtualKeypadEntryResponseSchema = tolerantObjectSchema({
  outcome: openEnumSchema(['incomplete', 'cleared', 'granted', 'denied']),
  reason: openEnumSchema(denialReasons).nullable(),
  gadget_id: idSchema('gadget').nullable(),
  action_id: z.string().nullable(),
});
export type VirtualKeypadEntryResponse = z.infer<typeof virtualKeypadEntryResponseSchema>;
