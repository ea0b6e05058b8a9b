import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Members of each group, whatever their dates. A group without members is left out. */
export const memberGroupSizesResponseSchema = tolerantObjectSchema({
  member_groups: z
    .array(
      tolerantObjectSchema({
        member_group_id: idSchema('member_group'),
        members: z.int().describe('Number of members, whatever their dates'),
      }).describe('Size of a group'),
    )
    .describe('Groups that have members'),
}).describe('Number of members by group');
export type MemberGroupSizesResponse = z.infer<typeof memberGroupSizesResponseSchema>;
