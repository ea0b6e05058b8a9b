import * as z from 'zod';
import { openEnumSchema } from '../../schema-parts/open-enum.ts';
import { revisionSchema, protocolVersionSchema } from '../message-fields.ts';
import { inputRulesSchema } from '../input-rules.ts';

/** The response to an edit at the controller: the rules in force, either that edit or a newer one from the bridge. */
export const inputRulesMqttMessageSchema = z.object({
  v: protocolVersionSchema,
  outcome: openEnumSchema(['accepted', 'superseded', 'refused']),
  message: z.string().nullable(),
  revision: revisionSchema,
  input_rules: inputRulesSchema,
});
export type InputRulesMqttMessage = z.infer<typeof inputRulesMqttMessageSchema>;
