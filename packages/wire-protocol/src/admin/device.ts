import * as z from 'zod';
import { deviceAnswer } from '../rest/device.ts';
import { gadgetCreate } from '../rest/gadget.ts';
import { metadataPatch, tagIdsEdit } from '../rest/metadata.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { nameText, plainText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/** Hardware changes through a replacement, input rules through their own address. */
export const deviceDescriptionEdit = z.strictObject({
  name: nameText(1).optional(),
  metadata: metadataPatch.optional(),
  tag_ids: tagIdsEdit.optional(),
});

export const deviceReplacement = z.strictObject({
  hardware_id: idOf('hardware'),
  revision_id: plainText(64, 1).nullish(),
});
export type DeviceReplacement = z.infer<typeof deviceReplacement>;

export const gadgetOfDeviceCreate = gadgetCreate.safeExtend({ device_id: idOf('device') });

/** `base` stands for these very rules: an edit that names it is refused when they have changed meanwhile. */
export const inputRulesAnswer = tolerantObject({
  device_id: idOf('device'),
  input_rules: deviceAnswer.shape.input_rules,
  base: z.string(),
});
export type InputRulesAnswer = z.infer<typeof inputRulesAnswer>;

/** The rules are judged by `parseInputRules`, which knows the gadgets. */
export const inputRulesEdit = z.strictObject({ input_rules: z.array(z.unknown()), base: plainText(100).optional() });
export type InputRulesEdit = z.infer<typeof inputRulesEdit>;

/**
 * Rules that point at a gadget of the source device itself: `keep` lets the copies point there too, `match` turns them
 * to the target's own gadget at the same place in the order of creation.
 */
export const inputRulesCopy = z.strictObject({
  device_ids: z
    .array(idOf('device'))
    .min(1)
    .max(100)
    .overwrite(ids => [...new Set(ids)]),
  own_gadgets: z.enum(['keep', 'match']).default('keep'),
});
export type InputRulesCopy = z.infer<typeof inputRulesCopy>;

export const inputRulesCopied = tolerantObject({ data: z.array(inputRulesAnswer) });
