import * as z from 'zod';
import { deviceResponseSchema, unparsedInputRulesSchema } from '../rest/device.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `base` identifies these rules: an edit with an outdated `base` is rejected. */
export const inputRulesResponseSchema = tolerantObjectSchema({
  device_id: idSchema('device'),
  input_rules: deviceResponseSchema.shape.input_rules,
  base: z.string().describe('Identifies these rules, for an edit'),
}).describe('Input rules of a device');
export type InputRulesResponse = z.infer<typeof inputRulesResponseSchema>;

export const editInputRulesRequestSchema = z.strictObject({
  input_rules: unparsedInputRulesSchema.describe(
    'All rules of the device, at most 500. They replace the existing ones. No code may be a prefix of another one',
  ),
  base: plainTextSchema(100)
    .optional()
    .describe(
      'base of the rules that were edited. The edit is rejected if they have changed since then. Absent: no check',
    ),
});
export type EditInputRulesRequest = z.infer<typeof editInputRulesRequestSchema>;

/**
 * For rules that point at a gadget of the source device: `keep` copies them unchanged, `match` points the copies at
 * the target's own gadget with the same position in order of creation.
 */
export const copyInputRulesRequestSchema = z.strictObject({
  device_ids: z
    .array(idSchema('device'))
    .min(1)
    .max(100)
    .overwrite(ids => [...new Set(ids)])
    .describe('Ids of the devices that get the rules, 1 to 100'),
  own_gadgets: z
    .enum(['keep', 'match'])
    .default('keep')
    .describe(
      'For rules with a gadget of the source device. keep: copied unchanged. match: the copy has the gadget of the target at the same position in order of creation',
    ),
});
export type CopyInputRulesRequest = z.infer<typeof copyInputRulesRequestSchema>;

export const copyInputRulesResponseSchema = tolerantObjectSchema({
  data: z.array(inputRulesResponseSchema).describe('The rules of each device'),
}).describe('Input rules after a copy');
