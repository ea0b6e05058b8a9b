import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { inputRules } from '../input-rules.ts';
import { milliseconds, requestId, revision, version } from '../message-fields.ts';

/** A technician at one controller wants its input rules at other controllers of the site, as they were at this revision. */
export const rulesCopy = z.object({
  v: version,
  copy_id: requestId,
  base_revision: revision.nullable(),
  asked_at: milliseconds,
  /** The pass under which it was asked; null under the setup code. */
  pass_id: z.string().max(100).nullable(),
  /** Whose pass it is. */
  user_id: idOf('user').nullish(),
  to: z.array(idOf('device')).min(1).max(100),
  /** Rules that lead to a gadget of the sender itself: the same one, or the other's own in its place. */
  own_gadgets: z.enum(['keep', 'match']),
  input_rules: inputRules,
});
export type RulesCopy = z.infer<typeof rulesCopy>;
