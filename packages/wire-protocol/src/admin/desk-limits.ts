import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** What users with the role front desk may give. The bridge checks it in every write that gives access. */
export const deskLimitsResponseSchema = tolerantObjectSchema({
  longest_stay_days: z
    .int()
    .nullable()
    .describe('Longest stay that the front desk may give, in days from its start or from now. Null: no limit'),
  member_groups: z
    .array(
      tolerantObjectSchema({
        member_group_id: idSchema('member_group'),
        may_give: z.boolean().describe('Whether the front desk may give the group'),
        is_default: z
          .boolean()
          .describe(
            'true if no administrator has decided it: the front desk may give groups that open at most one door',
          ),
      }).meta({ title: 'desk_limits_member_group', description: 'Whether the front desk may give a group' }),
    )
    .describe('The groups of the organization'),
}).describe('What users with the role front desk may give');
export type DeskLimitsResponse = z.infer<typeof deskLimitsResponseSchema>;

const MOST_DAYS = 3660;
const MOST_GROUPS = 1000;

export const editDeskLimitsRequestSchema = z.strictObject({
  longest_stay_days: z
    .int()
    .min(1)
    .max(MOST_DAYS)
    .nullish()
    .describe('Longest stay that the front desk may give, 1 to 3660 days. Null: no limit'),
  member_groups: z
    .array(
      z
        .strictObject({
          member_group_id: idSchema('member_group'),
          may_give: z
            .boolean()
            .nullable()
            .describe('Whether the front desk may give the group. Null: the default of the group'),
        })
        .meta({ title: 'desk_limits_member_group_input', description: 'Whether the front desk may give a group' }),
    )
    .max(MOST_GROUPS)
    .optional()
    .describe('Groups to change, at most 1000. Others stay'),
});
export type EditDeskLimitsRequest = z.infer<typeof editDeskLimitsRequestSchema>;
