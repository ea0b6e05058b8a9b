import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { openEnum } from '../../schema-parts/open-enum.ts';
import { requestId, revision, version } from '../message-fields.ts';

/** What has become of the copies, one by one. */
export const rulesCopied = z.object({
  v: version,
  copy_id: requestId,
  revision,
  results: z.array(
    z.object({
      device_id: idOf('device'),
      outcome: openEnum(['copied', 'refused']),
      /** Why not: `changed_meanwhile`, `not_found`, `not_of_this_site`, `forbidden`, `invalid`. */
      reason: z.string().nullable(),
      message: z.string().nullable(),
    }),
  ),
});
export type RulesCopied = z.infer<typeof rulesCopied>;
