import * as z from 'zod';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/** Seen through an event's expand only. */
export const oauthApplicationAnswer = tolerantObject({ id: idOf('oauth_application'), name: z.string() });
export type OAuthApplicationAnswer = z.infer<typeof oauthApplicationAnswer>;
