import * as z from 'zod';
import { openEnum } from '../../schema-parts/open-enum.ts';
import { revision, protocolVersion } from '../message-fields.ts';
import { inputRules } from '../input-rules.ts';

/** The response to an edit at the controller: the rules in force, either that edit or a newer one from the bridge. */
export const rulesMessage = z.object({
  v: protocolVersion,
  outcome: openEnum(['accepted', 'superseded', 'refused']),
  message: z.string().nullable(),
  revision,
  input_rules: inputRules,
});
export type RulesMessage = z.infer<typeof rulesMessage>;
