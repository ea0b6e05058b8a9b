import * as z from 'zod';
import { openEnumSchema } from '../../schema-parts/open-enum.ts';
import { revisionSchema, wireProtocolVersionSchema } from '../message-fields.ts';
import { inputRulesSchema } from '../input-rules-schema.ts';

/** The response to an edit at the controller: the rules in force, either that edit or a newer one from the bridge. */
export const inputRulesEditResultMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  outcome: openEnumSchema(['accepted', 'superseded', 'refused']),
  message: z.string().nullable(),
  revision: revisionSchema,
  input_rules: inputRulesSchema,
});
export type InputRulesEditResultMqttMessage = z.infer<typeof inputRulesEditResultMqttMessageSchema>;
