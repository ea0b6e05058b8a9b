import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { releaseArchitectures } from '../updates/release-manifest.ts';

export const releaseResponseSchema = tolerantObjectSchema({
  id: idSchema('release'),
  organization_id: idSchema('organization'),
  program: z.string(),
  version: z.string(),
  arch: openEnumSchema(releaseArchitectures),
  size: z.int(),
  sha256: z.string(),
  /** The key that signed the release. */
  key_id: z.string(),
  /** The oldest version that can be updated to this release. */
  minimum_version: z.string().nullable(),
  allow_downgrade: z.boolean(),
  /** As stated by the signer. */
  made_at: dateTimeSchema,
  created_at: dateTimeSchema,
  is_deleted: z.boolean(),
});
export type ReleaseResponse = z.infer<typeof releaseResponseSchema>;

/** Progress of an upload in parts. */
export const releaseUploadResponseSchema = tolerantObjectSchema({ sha256: z.string(), received: z.int() });
