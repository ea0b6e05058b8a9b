import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { releaseArchitectures } from '../updates/release-manifest.ts';

export const releaseResponseSchema = tolerantObjectSchema({
  id: idSchema('release'),
  organization_id: idSchema('organization'),
  program: z.string().describe('Program that the release updates'),
  version: z.string().describe('Version of the release'),
  arch: openEnumSchema(releaseArchitectures).describe('Processor architecture'),
  size: z.int().describe('Size in bytes'),
  sha256: z.string().describe('SHA-256 of the file, in hexadecimal'),
  key_id: z.string().describe('Id of the key that signed the release'),
  minimum_version: z.string().nullable().describe('Oldest version that can be updated to it. Null: every version'),
  allow_downgrade: z.boolean().describe('Whether newer versions can be replaced by it'),
  made_at: dateTimeSchema.describe('When it was made, as the signer states, ISO 8601 in UTC'),
  created_at: dateTimeSchema.describe('When it was added, ISO 8601 in UTC'),
  is_deleted: z.boolean().describe('true after the release has been deleted'),
}).describe('Software that devices can be updated to');
export type ReleaseResponse = z.infer<typeof releaseResponseSchema>;

/** Progress of an upload in parts. */
export const releaseUploadResponseSchema = tolerantObjectSchema({
  sha256: z.string().describe('SHA-256 of the whole file, in hexadecimal'),
  received: z.int().describe('Bytes received until now'),
}).describe('Progress of an upload in parts');
