import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/**
 * `served`: the controller has the credential and every later change of its member. `pending`: not synced yet.
 * `leaving`: the deletion is not synced yet; a revocation may already block it. `removed`: the deletion is synced.
 */
const controller = tolerantObjectSchema({
  device_id: idSchema('device'),
  site_id: idSchema('site'),
  name: z.string().describe('Name of the controller'),
  online: z.boolean().describe('Whether the controller is connected'),
  status: openEnumSchema(['served', 'pending', 'leaving', 'removed']).describe(
    'served: the controller has the credential. pending: not synced yet. leaving: its deletion is not synced yet, a revocation may already block it. removed: its deletion is synced',
  ),
  served_revision: z.int().nullable().describe('Revision that the controller has confirmed. Null before the first one'),
  served_at: dateTimeSchema
    .nullable()
    .describe('When the controller last reported its snapshot, ISO 8601 in UTC. Null before the first one'),
}).describe('A controller, and whether it has the credential');

/** Which controllers have a PIN. */
export const pinDeliveryResponseSchema = tolerantObjectSchema({
  member_pin_id: idSchema('member_pin'),
  member_id: idSchema('member'),
  doors: z.array(controller).describe('Controllers that have the PIN, or will have it'),
}).describe('Which controllers have a PIN');
export type PinDeliveryResponse = z.infer<typeof pinDeliveryResponseSchema>;

const lockoutDoor = {
  gadget_id: idSchema('gadget'),
  site_id: idSchema('site'),
  name: z.string().describe('Name of the door'),
  status: openEnumSchema(['locked_out', 'still_opens']).describe(
    'locked_out: every controller of the door has confirmed it. still_opens: a controller has not, a revocation may already block it',
  ),
  locked_out_at: dateTimeSchema
    .nullable()
    .describe('When the last controller of the door confirmed it, ISO 8601 in UTC. Null for a door that still opens'),
  online: z.boolean().describe('false if a controller that has not confirmed is offline'),
  offline_since: dateTimeSchema
    .nullable()
    .describe('Since when a controller that has not confirmed is offline, ISO 8601 in UTC. Null if none is'),
};

/**
 * What a member has lost within a day, and every door that still opens. `locked_out`: each controller of the door has
 * confirmed it. `still_opens`: a controller has not; a revocation may already block it.
 */
const memberLockout = tolerantObjectSchema({
  opens_other_doors: z.boolean().describe('Whether the member can still open other doors'),
  doors: z
    .array(
      tolerantObjectSchema(lockoutDoor).meta({
        title: 'member_lockout_door',
        description: 'A door that the member has lost',
      }),
    )
    .describe('Doors that the member has lost'),
}).meta({ title: 'member_lockout', description: 'What a member has lost within a day' });
export type MemberLockout = z.infer<typeof memberLockout>;

/**
 * Which controllers have the credentials of a member. `revision` is the one that a controller has to confirm. Emails and
 * magic links are absent, because the bridge checks them itself. Deleted credentials stay listed for about 30 days.
 */
export const memberCredentialDeliveryResponseSchema = tolerantObjectSchema({
  member_id: idSchema('member'),
  credentials: z
    .array(
      tolerantObjectSchema({
        type: openEnumSchema(['member_pin', 'member_card', 'member_token']).describe('Kind of credential'),
        id: z.string().describe('Id of the credential'),
        name: z.string().nullable().describe('Name, printed code or UID of a card. Null for the other types'),
        is_deleted: z.boolean().describe('true after the credential has been deleted'),
        deleted_at: dateTimeSchema.nullable().describe('Time of deletion, ISO 8601 in UTC. Null if it is not deleted'),
        revision: z.int().describe('Revision that a controller has to confirm'),
        controllers: z.array(controller).describe('Controllers that have the credential, or will have it'),
      }).describe('A credential of the member'),
    )
    .describe('PINs, cards and tokens of the member. The bridge itself checks emails and magic links'),
  lockout: memberLockout
    .nullable()
    .describe('What the member lost within a day, and doors that still open. Null if there is nothing of both'),
}).describe('Which controllers have the credentials of a member. Deleted credentials stay listed for about 30 days');
export type MemberCredentialDeliveryResponse = z.infer<typeof memberCredentialDeliveryResponseSchema>;

/** What the members of a group have lost by edits and deletions of groups and schedules. */
export const memberGroupLockoutResponseSchema = tolerantObjectSchema({
  member_group_id: idSchema('member_group'),
  doors: z
    .array(
      tolerantObjectSchema({
        ...lockoutDoor,
        members_without: z.int().describe('Members of the group who can no longer use the door'),
        members_with_less: z
          .int()
          .describe('Members of the group who can still use the door, but at fewer times or with fewer credentials'),
      }).meta({ title: 'member_group_lockout_door', description: 'A door that members of the group have lost' }),
    )
    .describe('Doors that members lost within a day, and those that still open'),
}).describe('What the members of a group have lost by edits and deletions of groups and schedules');
export type MemberGroupLockoutResponse = z.infer<typeof memberGroupLockoutResponseSchema>;
