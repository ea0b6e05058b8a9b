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
  role: openEnumSchema(roles),
  site_ids: z.array(idSchema('site')),
  status: openEnumSchema(['invited', 'active']),
  invitation_expires_at: dateTimeSchema.nullable(),
});
export type OrganizationUserResponse = z.infer<typeof organizationUserResponseSchema>;

/** `invitation_url` is returned only once, and is null if the bridge sends the invitation by email. */
export const organizationUserInvitedResponseSchema = tolerantObjectSchema({
  ...organizationUserResponseSchema.shape,
  invitation_url: z.string().nullable(),
});

const siteIds = z
  .array(idSchema('site'))
  .max(1000)
  .overwrite(ids => [...new Set(ids)]);

export const createOrganizationUserRequestSchema = z.strictObject({
  email: plainTextSchema(254, 1),
  role: z.enum(roles),
  site_ids: siteIds.default([]),
  name: nameTextSchema().optional(),
  /** Always rejected: with a password chosen by the inviter, the inviter could sign in as the invited person. */
  password: z
    .unknown()
    .refine(password => password === undefined, {
      error: 'must be omitted. The invited person chooses the password when accepting the invitation',
    })
    .optional(),
});
export type CreateOrganizationUserRequest = z.infer<typeof createOrganizationUserRequestSchema>;

export const editOrganizationUserRequestSchema = z.strictObject({
  role: z.enum(roles).optional(),
  site_ids: siteIds.optional(),
});
export type EditOrganizationUserRequest = z.infer<typeof editOrganizationUserRequestSchema>;
