import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { metadata, metadataCreate } from './metadata.ts';

/** What every credential and association of a member has beside its id. */
export const ofMember = {
  organization_id: idOf('organization'),
  member_id: idOf('member'),
  is_deleted: z.boolean(),
  created_at: dateTime,
  metadata,
};

/** POST of credentials that are made without being told anything: magic links and tokens. */
export const bareCredentialCreate = z.strictObject({ metadata: metadataCreate });
