import { accessMethods } from '@lintel/access-core/access-data-types';
import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/**
 * One way in which a member may perform an action, now or later. Access is limited to the times inside all schedules.
 * `starts_at` and `ends_at` are the limits of member and association together.
 */
const grant = tolerantObjectSchema({
  member_group_association_id: idSchema('member_group_association'),
  member_group_id: idSchema('member_group'),
  access_methods: z.array(openEnumSchema(accessMethods)),
  schedule_ids: z.array(idSchema('schedule')),
  requires_presence: z.boolean(),
  starts_at: dateTimeSchema.nullable(),
  ends_at: dateTimeSchema.nullable(),
});

const actionAccess = tolerantObjectSchema({
  gadget_id: idSchema('gadget'),
  site_id: idSchema('site'),
  action_id: z.string(),
  grants: z.array(grant),
});
export type ActionAccess = z.infer<typeof actionAccess>;

/** What a member may do. `is_complete` is false if inheritance produces too many rules to list. */
export const memberAccessResponseSchema = tolerantObjectSchema({
  member_id: idSchema('member'),
  access: z.array(actionAccess),
  is_complete: z.boolean(),
});
export type MemberAccessResponse = z.infer<typeof memberAccessResponseSchema>;

/** A member who may use a gadget. */
export const gadgetMemberResponseSchema = tolerantObjectSchema({
  member_id: idSchema('member'),
  name: z.string(),
  access: z.array(actionAccess),
});
export type GadgetMemberResponse = z.infer<typeof gadgetMemberResponseSchema>;
