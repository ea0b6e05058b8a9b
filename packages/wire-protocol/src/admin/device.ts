import * as z from 'zod';
import { deviceResponseSchema, unparsedInputRulesSchema } from '../rest/device.ts';
import { createGadgetRequestSchema } from '../rest/gadget.ts';
import { metadataPatchSchema, tagIdsEditSchema } from '../rest/metadata-and-tags.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Hardware changes through a replacement, input rules through their own endpoint. */
export const editDeviceNameAndTagsRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional(),
  metadata: metadataPatchSchema.optional(),
  tag_ids: tagIdsEditSchema.optional(),
});

export const replaceDeviceHardwareRequestSchema = z.strictObject({
  hardware_id: idSchema('hardware'),
  revision_id: plainTextSchema(64, 1).nullish(),
});
export type ReplaceDeviceHardwareRequest = z.infer<typeof replaceDeviceHardwareRequestSchema>;

export const createDeviceGadgetRequestSchema = createGadgetRequestSchema.safeExtend({ device_id: idSchema('device') });

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

/**
 * The connection of a claimed device. `served_revision` is what it has confirmed, `current_revision` that of the
 * organization. All but the last are null for a device that has never connected.
 */
export const deviceConnectionResponseSchema = tolerantObjectSchema({
  device_id: idSchema('device'),
  firmware: z.string().nullable(),
  seen_at: dateTimeSchema.nullable(),
  gateway_id: idSchema('device').nullable(),
  served_revision: z.int().nullable(),
  served_at: dateTimeSchema.nullable(),
  current_revision: z.int(),
});
export type DeviceConnectionResponse = z.infer<typeof deviceConnectionResponseSchema>;
