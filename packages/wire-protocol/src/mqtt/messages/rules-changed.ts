import * as z from 'zod';
import { milliseconds, revision, version } from '../message-fields.ts';
import { idOf } from '../../schema-parts/identifier.ts';
import { inputRules } from '../input-rules.ts';

/** A technician edited the input rules at the door, on top of this revision. */
export const rulesChanged = z.object({
  v: version,
  base_revision: revision.nullable(),
  edited_at: milliseconds,
  /** The pass under which it was done; null under the setup code. */
  pass_id: z.string().max(100).nullable(),
  /** Whose pass it is. */
  user_id: idOf('user').nullish(),
  input_rules: inputRules,
});
export type RulesChanged = z.infer<typeof rulesChanged>;
