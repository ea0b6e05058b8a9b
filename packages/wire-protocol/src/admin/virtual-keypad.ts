import { denialReasons } from '@lintel/access-core/access-data-types';
import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** The keys of one entry, since the keypad was idle. */
export const virtualKeypadEntryRequestSchema = z.strictObject({
  keys: z
    .string()
    .regex(/^[0-9*#]{1,40}$/, 'must have 1 to 40 of the keys 0 to 9, * and #')
    .describe('Keys of one entry, since the keypad was idle: 1 to 40 of 0 to 9, * and #'),
});

/**
 * `incomplete`: the keypad waits for more keys. `cleared`: the keys match no rule, or `*` ended the entry. Only
 * `granted` and `denied` name a gadget.
 */
export const virtualKeypadEntryResponseSchema = tolerantObjectSchema({
  outcome: openEnumSchema(['incomplete', 'cleared', 'granted', 'denied']).describe(
    'incomplete: the keypad waits for more keys. cleared: the keys match no rule, or * ended the entry. granted and denied: a decision',
  ),
  reason: openEnumSchema(denialReasons).nullable().describe('Why access was denied. Null otherwise'),
  gadget_id: idSchema('gadget').nullable().describe('Id of the gadget. Null without a decision'),
  action_id: z.string().nullable().describe('Id of the action. Null without a decision'),
}).describe('What an entry at a virtual keypad did');
export type VirtualKeypadEntryResponse = z.infer<typeof virtualKeypadEntryResponseSchema>;
