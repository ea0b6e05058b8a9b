import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { releaseArchitectures } from '../updates/release-manifest.ts';

export const releaseAnswer = tolerantObject({
  id: idOf('release'),
  organization_id: idOf('organization'),
  program: z.string(),
  version: z.string(),
  arch: openEnum(releaseArchitectures),
  size: z.int(),
  sha256: z.string(),
  /** Of the key that has signed it. */
  key_id: z.string(),
  /** The oldest version that can be updated to it. */
  minimum_version: z.string().nullable(),
  allow_downgrade: z.boolean(),
  /** By the word of whoever signed it. */
  made_at: dateTime,
  created_at: dateTime,
  is_deleted: z.boolean(),
});
export type ReleaseAnswer = z.infer<typeof releaseAnswer>;

/** An archive that comes in parts. */
export const releaseUploadAnswer = tolerantObject({ sha256: z.string(), received: z.int() });
