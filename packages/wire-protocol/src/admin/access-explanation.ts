import { accessMethods, denialReasons } from '@lintel/access-core/access-data-types';
import * as z from 'zod';
import { phoneLocationSchema } from '../rest/gadget.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `at` is now by default. `location` is where a phone would report to be. */
export const accessExplanationRequestSchema = z.strictObject({
  member_id: idSchema('member'),
  gadget_id: idSchema('gadget'),
  action_id: plainTextSchema(64, 1),
  access_method: z.enum(accessMethods),
  at: dateTimeSchema.nullish(),
  location: phoneLocationSchema.nullish(),
});
export type AccessExplanationRequest = z.infer<typeof accessExplanationRequestSchema>;

/** One rule of a chain: the rule with the index `index` of the group, counted from 0. */
const ruleLink = tolerantObjectSchema({
  member_group_id: idSchema('member_group'),
  index: z.int(),
  site_id: idSchema('site').nullable(),
  gadget_id: idSchema('gadget').nullable(),
  action_id: z.string().nullable(),
  schedule_id: idSchema('schedule').nullable(),
});

/**
 * `rule` is empty for the steps `member` and `association`; an inherited rule has several links. `failed_filter` is the
 * first filter that drops the rule. A `dropped_rule` refers to a deleted object.
 */
const step = tolerantObjectSchema({
  about: openEnumSchema(['member', 'association', 'rule', 'dropped_rule']),
  text: z.string(),
  passed: z.boolean(),
  finding: openEnumSchema(['inside', 'not_started', 'ended', 'deleted', 'group_gone']).nullable(),
  member_group_association_id: idSchema('member_group_association').nullable(),
  member_group_id: idSchema('member_group').nullable(),
  rule: z.array(ruleLink),
  failed_filter: openEnumSchema(['target', 'method', 'schedule', 'presence']).nullable(),
});

/** `is_complete` is false if inheritance produces too many rules to list. */
export const accessExplanationResponseSchema = tolerantObjectSchema({
  member_id: idSchema('member'),
  gadget_id: idSchema('gadget'),
  action_id: z.string(),
  access_method: openEnumSchema(accessMethods),
  at: dateTimeSchema,
  is_granted: z.boolean(),
  reason: openEnumSchema(denialReasons).nullable(),
  text: z.string(),
  steps: z.array(step),
  is_complete: z.boolean(),
});
export type AccessExplanationResponse = z.infer<typeof accessExplanationResponseSchema>;
