import * as z from 'zod';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** The bridge that serves the organization. */
export const installationResponseSchema = tolerantObjectSchema({
  version: z.string().describe('Version of the bridge'),
  public_url: z.string().describe('URL at which people and controllers reach the bridge'),
  database: openEnumSchema(['sqlite', 'postgres']).describe('Database engine'),
  sends_email: z.boolean().describe('Whether a mail server is configured'),
}).describe('The bridge that serves the organization');
export type InstallationResponse = z.infer<typeof installationResponseSchema>;
