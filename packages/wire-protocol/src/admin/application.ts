import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { nameText, plainText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

export const applicationAnswer = tolerantObject({
  id: idOf('oauth_application'),
  organization_id: idOf('organization'),
  name: z.string(),
  client_id: z.string(),
  redirect_uris: z.array(z.string()),
  is_public: z.boolean(),
  is_deleted: z.boolean(),
  created_at: dateTime,
});
export type ApplicationAnswer = z.infer<typeof applicationAnswer>;

/** The secret is shown this once; a public application has none. */
export const applicationCreated = tolerantObject({ ...applicationAnswer.shape, client_secret: z.string().nullable() });

const redirectUris = z.array(plainText(2048, 1)).max(50);

export const applicationCreate = z.strictObject({
  name: nameText(1),
  redirect_uris: redirectUris.default([]),
  /** Runs where a secret cannot be kept, and must use PKCE. */
  is_public: z.boolean().default(false),
});
export type ApplicationCreate = z.infer<typeof applicationCreate>;

export const applicationEdit = z.strictObject({
  name: nameText(1).optional(),
  redirect_uris: redirectUris.optional(),
});
export type ApplicationEdit = z.infer<typeof applicationEdit>;

/** An application, of whichever maker, that may act in the organization. */
export const authorizationAnswer = tolerantObject({
  oauth_application_id: idOf('oauth_application'),
  name: z.string(),
  /** Who authorized it. */
  user_id: idOf('user').nullable(),
  created_at: dateTime,
});
export type AuthorizationAnswer = z.infer<typeof authorizationAnswer>;
