import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { createdAtSchema, isDeletedSchema } from './common-fields.ts';
import { metadataSchema, metadataCreateSchema } from './metadata-and-tags.ts';

/** Common fields of all credentials and associations of a member, besides the id. */
export const memberCredentialFields = {
  organization_id: idSchema('organization'),
  member_id: idSchema('member'),
  is_deleted: isDeletedSchema,
  created_at: createdAtSchema,
  metadata: metadataSchema,
};

/** POST of credentials that the bridge generates: magic links and tokens. */
export const createGeneratedCredentialRequestSchema = createPostBodySchema({ metadata: metadataCreateSchema });
