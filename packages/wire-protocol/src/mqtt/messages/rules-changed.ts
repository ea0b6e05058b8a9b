import * as z from 'zod';
import { epochMilliseconds, revision, protocolVersion } from '../message-fields.ts';
import { idSchema } from '../../schema-parts/identifier.ts';
import { inputRules } from '../input-rules.ts';

/** A technician edited the input rules at the controller, based on this revision. */
export const rulesChangedMessage = z.object({
  v: protocolVersion,
  base_revision: revision.nullable(),
  edited_at: epochMilliseconds,
  /** The technician pass; null with the setup code. */
  pass_id: z.string().max(100).nullable(),
  /** The user of the pass. */
  user_id: idSchema('user').nullish(),
  input_rules: inputRules,
});
export type RulesChangedMessage = z.infer<typeof rulesChangedMessage>;
