import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { nameTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

export const scriptTokenScopes = ['full_read_only', 'full_read_write'] as const;

/** An access token for a script. It belongs to the built-in application `cli` and ends at `expires_at`. */
export const scriptTokenResponseSchema = tolerantObjectSchema({
  id: idSchema('script_token'),
  organization_id: idSchema('organization'),
  name: z.string().describe('Name of the token'),
  scope: openEnumSchema(scriptTokenScopes).describe('full_read_only reads everything. full_read_write writes, too'),
  user_id: idSchema('user').nullable().describe('Id of the user who created it. Null if not known'),
  created_at: dateTimeSchema.describe('Time of creation, ISO 8601 in UTC'),
  expires_at: dateTimeSchema.describe('End of validity, ISO 8601 in UTC'),
}).describe('An access token for a script');
export type ScriptTokenResponse = z.infer<typeof scriptTokenResponseSchema>;

/** The token is returned only once. */
export const scriptTokenCreatedResponseSchema = tolerantObjectSchema({
  ...scriptTokenResponseSchema.shape,
  access_token: z.string().describe('The access token. Shown once'),
}).describe('A new script token with its secret');
export type ScriptTokenCreatedResponse = z.infer<typeof scriptTokenCreatedResponseSchema>;

const DAY_SECONDS = 86_400;
const MAX_DAYS = 366;
const DEFAULT_DAYS = 90;

export const createScriptTokenRequestSchema = createPostBodySchema({
  name: nameTextSchema(1).describe('Name of the token, 1 to 200 characters'),
  scope: z.enum(scriptTokenScopes).describe('full_read_only reads everything. full_read_write writes, too'),
  expires_in: z
    .int()
    .min(60)
    .max(MAX_DAYS * DAY_SECONDS)
    .default(DEFAULT_DAYS * DAY_SECONDS)
    .describe('Validity in seconds, 60 to 31622400'),
});
export type CreateScriptTokenRequest = z.infer<typeof createScriptTokenRequestSchema>;
