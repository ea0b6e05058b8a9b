import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { inputRulesSchema } from '../input-rules.ts';
import { epochMillisecondsSchema, requestIdSchema, revisionSchema, protocolVersionSchema } from '../message-fields.ts';

/** A technician copies the input rules of one controller, based on this revision, to other controllers of the site. */
export const rulesCopyMessage = z.object({
  v: protocolVersionSchema,
  copy_id: requestIdSchema,
  base_revision: revisionSchema.nullable(),
  asked_at: epochMillisecondsSchema,
  /** The technician pass; null with the setup code. */
  pass_id: z.string().max(100).nullable(),
  /** The user of the pass. */
  user_id: idSchema('user').nullish(),
  to: z.array(idSchema('device')).min(1).max(100),
  /** For rules that point at a gadget of the sender: the same gadget, or the corresponding gadget of the target. */
  own_gadgets: z.enum(['keep', 'match']),
  input_rules: inputRulesSchema,
});
export type RulesCopyMessage = z.infer<typeof rulesCopyMessage>;
