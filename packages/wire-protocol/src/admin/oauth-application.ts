import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

export const managedOAuthApplicationResponseSchema = tolerantObjectSchema({
  id: idSchema('oauth_application'),
  organization_id: idSchema('organization'),
  name: z.string(),
  client_id: z.string(),
  redirect_uris: z.array(z.string()),
  is_public: z.boolean(),
  is_deleted: z.boolean(),
  created_at: dateTimeSchema,
});
export type ManagedOAuthApplicationResponse = z.infer<typeof managedOAuthApplicationResponseSchema>;

/** The secret is returned only once; a public application has none. */
export const oauthApplicationCreatedResponseSchema = tolerantObjectSchema({
  ...managedOAuthApplicationResponseSchema.shape,
  client_secret: z.string().nullable(),
});

const redirectUris = z.array(plainTextSchema(2048, 1)).max(50);

export const createOAuthApplicationRequestSchema = createPostBodySchema({
  name: nameTextSchema(1),
  redirect_uris: redirectUris.default([]),
  /** For applications that cannot keep a secret and must use PKCE. */
  is_public: z.boolean().default(false),
});
export type CreateOAuthApplicationRequest = z.infer<typeof createOAuthApplicationRequestSchema>;

export const editOAuthApplicationRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional(),
  redirect_uris: redirectUris.optional(),
});
export type EditOAuthApplicationRequest = z.infer<typeof editOAuthApplicationRequestSchema>;

/** An application, of any publisher, that is authorized in the organization. */
export const oauthAuthorizationResponseSchema = tolerantObjectSchema({
  oauth_application_id: idSchema('oauth_application'),
  name: z.string(),
  /** The user who authorized it. */
  user_id: idSchema('user').nullable(),
  /** Webhooks of the application in this organization that have failed for a day. Only the application sees more. */
  failing_webhooks: z.int(),
  /** When its access ends unless it is used before: 90 days after the last use. Null if it has ended. */
  ends_at: dateTimeSchema.nullable(),
  created_at: dateTimeSchema,
});
export type AuthorizedOAuthApplicationResponse = z.infer<typeof oauthAuthorizationResponseSchema>;
