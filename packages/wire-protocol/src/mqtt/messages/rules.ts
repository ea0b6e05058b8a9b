import * as z from 'zod';
import { openEnum } from '../../schema-parts/open-enum.ts';
import { revision, version } from '../message-fields.ts';
import { inputRules } from '../input-rules.ts';

/** The answer to an edit at the door: the rules that hold now, whether they are that edit or a newer one from the desk. */
export const rules = z.object({
  v: version,
  outcome: openEnum(['accepted', 'superseded', 'refused']),
  message: z.string().nullable(),
  revision,
  input_rules: inputRules,
});
export type Rules = z.infer<typeof rules>;
