import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Visible only by expanding an event. */
export const oauthApplicationResponseSchema = tolerantObjectSchema({
  id: idSchema('oauth_application'),
  name: z.string().describe('Name of the application'),
}).describe('An OAuth application that acted');
