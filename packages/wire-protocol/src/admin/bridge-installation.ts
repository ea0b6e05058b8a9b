import * as z from 'zod';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** The bridge that serves the organization. */
export const installationResponseSchema = tolerantObjectSchema({
  version: z.string(),
  public_url: z.string(),
  database: openEnumSchema(['sqlite', 'postgres']),
  /** Whether a mail server is configured. */
  sends_email: z.boolean(),
});
export type InstallationResponse = z.infer<typeof installationResponseSchema>;
