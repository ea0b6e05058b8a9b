import * as z from 'zod';
import { userResponseSchema } from '../rest/user.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `csrf_token` goes into the header `X-CSRF-Token` of every write. */
export const currentAdminSessionResponseSchema = tolerantObjectSchema({
  user: userResponseSchema.describe('The signed-in user'),
  csrf_token: z.string().describe('Value of the header X-CSRF-Token of every write'),
}).describe('The session of the caller');

/** A browser in which the user is signed in. `client` is a description such as "Firefox on Linux". */
export const userSessionResponseSchema = tolerantObjectSchema({
  id: z.string().describe('Id of the session'),
  client: z.string().describe('Description of the browser, such as Firefox on Linux'),
  ip_address: z.string().nullable().describe('IP address at the sign-in. Null if not known'),
  created_at: dateTimeSchema.describe('When the user signed in, ISO 8601 in UTC'),
  last_used_at: dateTimeSchema.describe('Time of the last use, ISO 8601 in UTC'),
  expires_at: dateTimeSchema.describe('End of the session, ISO 8601 in UTC'),
  is_current: z.boolean().describe('Whether it is the session of this request'),
}).describe('A browser in which the user is signed in');
export type UserSessionResponse = z.infer<typeof userSessionResponseSchema>;
