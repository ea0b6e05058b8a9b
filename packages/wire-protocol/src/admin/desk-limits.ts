import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** What users with the role front desk may give. The bridge checks it in every write that gives access. */
export const deskLimitsResponseSchema = tolerantObjectSchema({
  /** From the start of the stay, or from now; null without a limit. */
  longest_stay_days: z.int().nullable(),
  member_groups: z.array(
    tolerantObjectSchema({
      member_group_id: idSchema('member_group'),
      may_give: z.boolean(),
      /** No administrator has decided it: the front desk may give groups that open at most one door. */
      is_default: z.boolean(),
    }).meta({ title: 'desk_limits_member_group' }),
  ),
});
export type DeskLimitsResponse = z.infer<typeof deskLimitsResponseSchema>;

const MOST_DAYS = 3660;
const MOST_GROUPS = 1000;

export const editDeskLimitsRequestSchema = z.strictObject({
  longest_stay_days: z.int().min(1).max(MOST_DAYS).nullish(),
  /** `may_give` null: the default of the group. */
  member_groups: z
    .array(
      z
        .strictObject({ member_group_id: idSchema('member_group'), may_give: z.boolean().nullable() })
        .meta({ title: 'desk_limits_member_group_input' }),
    )
    .max(MOST_GROUPS)
    .optional(),
});
export type EditDeskLimitsRequest = z.infer<typeof editDeskLimitsRequestSchema>;
