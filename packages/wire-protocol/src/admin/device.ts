import * as z from 'zod';
import { deviceResponse } from '../rest/device.ts';
import { gadgetCreate } from '../rest/gadget.ts';
import { metadataPatch, tagIdsEdit } from '../rest/metadata.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameText, plainText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/** Hardware changes through a replacement, input rules through their own endpoint. */
export const deviceDescriptionEdit = z.strictObject({
  name: nameText(1).optional(),
  metadata: metadataPatch.optional(),
  tag_ids: tagIdsEdit.optional(),
});

export const deviceReplacement = z.strictObject({
  hardware_id: idSchema('hardware'),
  revision_id: plainText(64, 1).nullish(),
});
export type DeviceReplacement = z.infer<typeof deviceReplacement>;

export const deviceGadgetCreate = gadgetCreate.safeExtend({ device_id: idSchema('device') });

/** `base` identifies these rules: an edit with an outdated `base` is rejected. */
export const inputRulesResponse = tolerantObject({
  device_id: idSchema('device'),
  input_rules: deviceResponse.shape.input_rules,
  base: z.string(),
});
export type InputRulesResponse = z.infer<typeof inputRulesResponse>;

/** `parseInputRules` validates the rules, because it knows the gadgets. */
export const inputRulesEdit = z.strictObject({ input_rules: z.array(z.unknown()), base: plainText(100).optional() });
export type InputRulesEdit = z.infer<typeof inputRulesEdit>;

/**
 * For rules that point at a gadget of the source device: `keep` copies them unchanged, `match` points the copies at
 * the target's own gadget with the same position in order of creation.
 */
export const inputRulesCopy = z.strictObject({
  device_ids: z
    .array(idSchema('device'))
    .min(1)
    .max(100)
    .overwrite(ids => [...new Set(ids)]),
  own_gadgets: z.enum(['keep', 'match']).default('keep'),
});
export type InputRulesCopy = z.infer<typeof inputRulesCopy>;

export const inputRulesCopyResponse = tolerantObject({ data: z.array(inputRulesResponse) });
