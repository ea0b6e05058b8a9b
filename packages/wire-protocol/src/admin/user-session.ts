import * as z from 'zod';
import { userResponseSchema } from '../rest/user.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `csrf_token` goes into the header `X-CSRF-Token` of every write. */
export const currentAdminSessionResponseSchema = tolerantObjectSchema({
  user: userResponseSchema,
  csrf_token: z.string(),
});

/** A browser in which the user is signed in. `client` is a description such as "Firefox on Linux". */
export const userSessionResponseSchema = tolerantObjectSchema({
  id: z.string(),
  client: z.string(),
  ip_address: z.string().nullable(),
  created_at: dateTimeSchema,
  last_used_at: dateTimeSchema,
  expires_at: dateTimeSchema,
  is_current: z.boolean(),
});
export type UserSessionResponse = z.infer<typeof userSessionResponseSchema>;
