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
  name: z.string(),
  scope: openEnumSchema(scriptTokenScopes),
  /** The user who created it. */
  user_id: idSchema('user').nullable(),
  created_at: dateTimeSchema,
  expires_at: dateTimeSchema,
});
export type ScriptTokenResponse = z.infer<typeof scriptTokenResponseSchema>;

/** The token is returned only once. */
export const scriptTokenCreatedResponseSchema = tolerantObjectSchema({
  ...scriptTokenResponseSchema.shape,
  access_token: z.string(),
});
export type ScriptTokenCreatedResponse = z.infer<typeof scriptTokenCreatedResponseSchema>;

const DAY_SECONDS = 86_400;
const MAX_DAYS = 366;
const DEFAULT_DAYS = 90;

export const createScriptTokenRequestSchema = createPostBodySchema({
  name: nameTextSchema(1),
  scope: z.enum(scriptTokenScopes),
  /** Seconds. */
  expires_in: z
    .int()
    .min(60)
    .max(MAX_DAYS * DAY_SECONDS)
    .default(DEFAULT_DAYS * DAY_SECONDS),
});
export type CreateScriptTokenRequest = z.infer<typeof createScriptTokenRequestSchema>;
