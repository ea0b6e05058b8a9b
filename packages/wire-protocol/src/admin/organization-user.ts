import * as z from 'zod';
import { userResponseSchema } from '../rest/user.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { roles } from './role.ts';

/**
 * `site_ids` are the sites that a technician is assigned to; empty for other roles. A user with the status `invited` has
 * no access. `invitation_expires_at` is null if there is no invitation to accept.
 */
export const organizationUserResponseSchema = tolerantObjectSchema({
  ...userResponseSchema.shape,
  role: openEnumSchema(roles).describe('Role of the user in the organization'),
  site_ids: z.array(idSchema('site')).describe('Ids of the sites of a technician. Empty for other roles'),
  status: openEnumSchema(['invited', 'active']).describe(
    'invited: no access until the invitation is accepted. active: has access',
  ),
  invitation_expires_at: dateTimeSchema
    .nullable()
    .describe('End of the invitation, ISO 8601 in UTC. Null if there is none to accept'),
}).describe('A person who administers the organization');
export type OrganizationUserResponse = z.infer<typeof organizationUserResponseSchema>;

/** `invitation_url` is returned only once, and is null if the bridge sends the invitation by email. */
export const organizationUserInvitedResponseSchema = tolerantObjectSchema({
  ...organizationUserResponseSchema.shape,
  invitation_url: z
    .string()
    .nullable()
    .describe('URL to accept the invitation. Shown once. Null if the bridge sends it by email'),
}).describe('An invited user with the invitation');

const siteIds = z
  .array(idSchema('site'))
  .max(1000)
  .overwrite(ids => [...new Set(ids)]);

export const createOrganizationUserRequestSchema = z.strictObject({
  email: plainTextSchema(254, 1).describe('Email address of the person, at most 254 characters'),
  role: z.enum(roles).describe('Role of the user in the organization'),
  site_ids: siteIds.default([]).describe('Ids of the sites of a technician, at most 1000'),
  name: nameTextSchema().optional().describe('Name of the person, at most 200 characters'),
  /** Always rejected: with a password chosen by the inviter, the inviter could sign in as the invited person. */
  password: z
    .unknown()
    .refine(password => password === undefined, {
      error: 'must be omitted. The invited person chooses the password when accepting the invitation',
    })
    .optional()
    .describe('Must be left out. The invited person chooses the password'),
});
export type CreateOrganizationUserRequest = z.infer<typeof createOrganizationUserRequestSchema>;

export const editOrganizationUserRequestSchema = z.strictObject({
  role: z.enum(roles).optional().describe('Role of the user in the organization'),
  site_ids: siteIds.optional().describe('Ids of the sites of a technician, at most 1000'),
});
export type EditOrganizationUserRequest = z.infer<typeof editOrganizationUserRequestSchema>;
