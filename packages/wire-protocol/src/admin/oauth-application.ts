import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

export const managedOAuthApplicationResponseSchema = tolerantObjectSchema({
  id: idSchema('oauth_application'),
  organization_id: idSchema('organization'),
  name: z.string().describe('Name of the application'),
  client_id: z.string().describe('Client id for OAuth. Public'),
  redirect_uris: z.array(z.string()).describe('Addresses to which users may return after the authorization'),
  is_public: z.boolean().describe('true if the application has no secret and must use PKCE'),
  is_deleted: z.boolean().describe('true after the application has been deleted'),
  created_at: dateTimeSchema.describe('Time of creation, ISO 8601 in UTC'),
}).describe('An OAuth application of the organization');
export type ManagedOAuthApplicationResponse = z.infer<typeof managedOAuthApplicationResponseSchema>;

/** The secret is returned only once; a public application has none. */
export const oauthApplicationCreatedResponseSchema = tolerantObjectSchema({
  ...managedOAuthApplicationResponseSchema.shape,
  client_secret: z.string().nullable().describe('Client secret for OAuth. Shown once. Null for a public application'),
}).describe('An OAuth application with its secret');

const redirectUris = z.array(plainTextSchema(2048, 1)).max(50);

export const createOAuthApplicationRequestSchema = createPostBodySchema({
  name: nameTextSchema(1).describe('Name of the application, 1 to 200 characters'),
  redirect_uris: redirectUris
    .default([])
    .describe('Addresses to which users may return after the authorization, at most 50'),
  is_public: z.boolean().default(false).describe('true for an application that cannot keep a secret and must use PKCE'),
});
export type CreateOAuthApplicationRequest = z.infer<typeof createOAuthApplicationRequestSchema>;

export const editOAuthApplicationRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional().describe('Name of the application, 1 to 200 characters'),
  redirect_uris: redirectUris
    .optional()
    .describe('Addresses to which users may return after the authorization, at most 50'),
});
export type EditOAuthApplicationRequest = z.infer<typeof editOAuthApplicationRequestSchema>;

/** An application, of any publisher, that is authorized in the organization. */
export const oauthAuthorizationResponseSchema = tolerantObjectSchema({
  oauth_application_id: idSchema('oauth_application'),
  name: z.string().describe('Name of the application, 1 to 200 characters'),
  user_id: idSchema('user').nullable().describe('Id of the user who authorized it. Null if not known'),
  failing_webhooks: z.int().describe('Webhooks of the application in this organization that have failed for a day'),
  ends_at: dateTimeSchema
    .nullable()
    .describe(
      'When its access ends unless it is used before, 90 days after the last use, ISO 8601 in UTC. Null if it has ended',
    ),
  created_at: dateTimeSchema.describe('Time of creation, ISO 8601 in UTC'),
}).describe('An application that is authorized in the organization');
export type AuthorizedOAuthApplicationResponse = z.infer<typeof oauthAuthorizationResponseSchema>;
