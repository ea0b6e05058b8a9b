import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { openEnumSchema } from '../../schema-parts/open-enum.ts';
import { requestIdSchema, revisionSchema, protocolVersionSchema } from '../message-fields.ts';

/** The result of each copy. */
export const rulesCopiedMessage = z.object({
  v: protocolVersionSchema,
  copy_id: requestIdSchema,
  revision: revisionSchema,
  results: z.array(
    z.object({
      device_id: idSchema('device'),
      outcome: openEnumSchema(['copied', 'refused']),
      /** Why the copy failed: `changed_meanwhile`, `not_found`, `not_of_this_site`, `forbidden`, `invalid`. */
      reason: z.string().nullable(),
      message: z.string().nullable(),
    }),
  ),
});
export type RulesCopiedMessage = z.infer<typeof rulesCopiedMessage>;
