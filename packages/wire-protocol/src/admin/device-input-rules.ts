import * as z from 'zod';
import { deviceResponseSchema, unparsedInputRulesSchema } from '../rest/device.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `base` identifies these rules: an edit with an outdated `base` is rejected. */
export const inputRulesResponseSchema = tolerantObjectSchema({
  device_id: idSchema('device'),
  input_rules: deviceResponseSchema.shape.input_rules,
  base: z.string(),
});
export type InputRulesResponse = z.infer<typeof inputRulesResponseSchema>;

export const editInputRulesRequestSchema = z.strictObject({
  input_rules: unparsedInputRulesSchema,
  base: plainTextSchema(100).optional(),
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
    .overwrite(ids => [...new Set(ids)]),
  own_gadgets: z.enum(['keep', 'match']).default('keep'),
});
export type CopyInputRulesRequest = z.infer<typeof copyInputRulesRequestSchema>;

export const copyInputRulesResponseSchema = tolerantObjectSchema({ data: z.array(inputRulesResponseSchema) });
