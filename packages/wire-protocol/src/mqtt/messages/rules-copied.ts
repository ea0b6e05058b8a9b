import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { openEnum } from '../../schema-parts/open-enum.ts';
import { requestId, revision, protocolVersion } from '../message-fields.ts';

/** The result of each copy. */
export const rulesCopiedMessage = z.object({
  v: protocolVersion,
  copy_id: requestId,
  revision,
  results: z.array(
    z.object({
      device_id: idSchema('device'),
      outcome: openEnum(['copied', 'refused']),
      /** Why the copy failed: `changed_meanwhile`, `not_found`, `not_of_this_site`, `forbidden`, `invalid`. */
      reason: z.string().nullable(),
      message: z.string().nullable(),
    }),
  ),
});
export type RulesCopiedMessage = z.infer<typeof rulesCopiedMessage>;
