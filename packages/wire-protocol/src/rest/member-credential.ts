import * as z from 'zod';
import { createObject } from '../schema-parts/create-object.ts';
import { dateTime } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { metadata, metadataCreate } from './metadata.ts';

/** Common fields of all credentials and associations of a member, besides the id. */
export const memberCredentialFields = {
  organization_id: idSchema('organization'),
  member_id: idSchema('member'),
  is_deleted: z.boolean(),
  created_at: dateTime,
  metadata,
};

/** POST of credentials that the bridge generates: magic links and tokens. */
export const generatedCredentialCreate = createObject({ metadata: metadataCreate });
