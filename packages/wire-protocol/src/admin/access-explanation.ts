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
  action_id: plainTextSchema(64, 1).describe('Id of an action of the gadget'),
  access_method: z.enum(accessMethods).describe('Access method to check'),
  at: dateTimeSchema.nullish().describe('Time to check: ISO 8601 with an offset or Z. Null or absent: now'),
  location: phoneLocationSchema.nullish().describe('Where a phone would report to be. Null or absent: nowhere'),
});
export type AccessExplanationRequest = z.infer<typeof accessExplanationRequestSchema>;

/** One rule of a chain: the rule with the index `index` of the group, counted from 0. */
const ruleLink = tolerantObjectSchema({
  member_group_id: idSchema('member_group'),
  index: z.int().describe('Index of the rule in permissions of the group, from 0'),
  site_id: idSchema('site').nullable().describe('Only gadgets of this site. Null: of every site'),
  gadget_id: idSchema('gadget').nullable().describe('Only this gadget. Null: every gadget'),
  action_id: z.string().nullable().describe('Only this action. Null: every action'),
  schedule_id: idSchema('schedule').nullable().describe('Only within this schedule. Null: at all times'),
}).describe('A rule of a member group');

/**
 * `rule` is empty for the steps `member` and `association`; an inherited rule has several links. `failed_filter` is the
 * first filter that drops the rule. A `dropped_rule` refers to a deleted object.
 */
const step = tolerantObjectSchema({
  about: openEnumSchema(['member', 'association', 'rule', 'dropped_rule']).describe(
    'What the step is about: the member, a group association, a rule, or a rule that refers to a deleted object',
  ),
  text: z.string().describe('The step in words'),
  passed: z.boolean().describe('Whether access is still possible after the step'),
  finding: openEnumSchema(['inside', 'not_started', 'ended', 'deleted', 'group_gone'])
    .nullable()
    .describe('What is wrong with the dates or the object. Null for other steps'),
  member_group_association_id: idSchema('member_group_association')
    .nullable()
    .describe('Id of the group association. Null for the step of the member'),
  member_group_id: idSchema('member_group')
    .nullable()
    .describe('Id of the member group. Null for the step of the member'),
  rule: z
    .array(ruleLink)
    .describe(
      'The rule and those through which it is inherited. Empty for the steps of the member and of an association',
    ),
  failed_filter: openEnumSchema(['target', 'method', 'schedule', 'presence'])
    .nullable()
    .describe(
      'First part of the rule that excludes the action: its target, access methods, schedule or presence. Null if none does',
    ),
}).describe('A step of the decision');

/** `is_complete` is false if inheritance produces too many rules to list. */
export const accessExplanationResponseSchema = tolerantObjectSchema({
  member_id: idSchema('member'),
  gadget_id: idSchema('gadget'),
  action_id: z.string().describe('Id of the action'),
  access_method: openEnumSchema(accessMethods).describe('Access method that was checked'),
  at: dateTimeSchema.describe('Time that was checked, ISO 8601 in UTC'),
  is_granted: z.boolean().describe('Whether access is granted'),
  reason: openEnumSchema(denialReasons).nullable().describe('Why access is denied. Null if it is granted'),
  text: z.string().describe('The result in words'),
  steps: z.array(step).describe('Steps of the decision, in order'),
  is_complete: z.boolean().describe('false if inheritance produces too many rules to list'),
}).describe('Whether a member may perform an action, and why');
export type AccessExplanationResponse = z.infer<typeof accessExplanationResponseSchema>;
