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
  access_methods: z.array(openEnumSchema(accessMethods)).describe('Allowed access methods'),
  schedule_ids: z
    .array(idSchema('schedule'))
    .describe('Ids of schedules. Access is limited to times inside all of them'),
  requires_presence: z.boolean().describe('Whether an action through the internet requires the phone at the site'),
  starts_at: dateTimeSchema
    .nullable()
    .describe('Beginning of member and association together, ISO 8601 in UTC. Null: none'),
  ends_at: dateTimeSchema.nullable().describe('End of member and association together, ISO 8601 in UTC. Null: none'),
}).describe('One way in which a member may perform an action, now or later');

const actionAccess = tolerantObjectSchema({
  gadget_id: idSchema('gadget'),
  site_id: idSchema('site'),
  action_id: z.string().describe('Id of the action of the gadget'),
  grants: z.array(grant).describe('Ways in which the member may perform it'),
}).describe('An action that a member may perform');
export type ActionAccess = z.infer<typeof actionAccess>;

/** What a member may do. `is_complete` is false if inheritance produces too many rules to list. */
export const memberAccessResponseSchema = tolerantObjectSchema({
  member_id: idSchema('member'),
  access: z.array(actionAccess).describe('Actions that the member may perform'),
  is_complete: z.boolean().describe('false if inheritance produces too many rules to list'),
}).describe('What a member may do');
export type MemberAccessResponse = z.infer<typeof memberAccessResponseSchema>;

/** A member who may use a gadget. */
export const gadgetMemberResponseSchema = tolerantObjectSchema({
  member_id: idSchema('member'),
  name: z.string().describe('Name of the member'),
  access: z.array(actionAccess).describe('Actions of the gadget that the member may perform'),
}).describe('A member who may use a gadget');
export type GadgetMemberResponse = z.infer<typeof gadgetMemberResponseSchema>;
