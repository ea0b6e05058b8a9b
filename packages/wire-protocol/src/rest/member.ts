import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema, checkEndNotBeforeStart } from '../schema-parts/date-time.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createdAtSchema, isDeletedSchema } from './common-fields.ts';
import {
  metadataSchema,
  metadataCreateSchema,
  metadataPatchSchema,
  tagIdsSchema,
  tagIdsEditSchema,
} from './metadata-and-tags.ts';

const STARTS = 'Beginning of access: ISO 8601 with an offset or Z, returned in UTC. Null: valid immediately';
const ENDS =
  'End of access: ISO 8601 with an offset or Z, returned in UTC. Null: no end. Not before starts_at. The member is deleted 1 day after it';
const LANGUAGE = 'BCP 47 language tag of the guest page and messages, such as en or es-ES. Null: not set';

export const memberResponseSchema = tolerantObjectSchema({
  id: idSchema('member'),
  organization_id: idSchema('organization'),
  name: z.string().describe('Label for administrators. The member never sees it'),
  starts_at: dateTimeSchema.nullable().describe(STARTS),
  ends_at: dateTimeSchema.nullable().describe(ENDS),
  is_deleted: isDeletedSchema,
  created_at: createdAtSchema,
  metadata: metadataSchema,
  tag_ids: tagIdsSchema,
  language: z.string().nullable().describe(LANGUAGE),
}).describe('A person or a reservation that is granted access. It has credentials, and permissions through its groups');
export type MemberResponse = z.infer<typeof memberResponseSchema>;

const canonicalLanguage = (tag: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
};

const parseLanguage = (value: unknown, path: string): Result<string> => {
  const canonical = typeof value === 'string' && value.length <= 100 ? canonicalLanguage(value) : undefined;
  if (canonical !== undefined) return ok(canonical);
  return failed([createProblem(path, 'invalid_language', 'must be a BCP 47 language tag such as en or es-ES')]);
};

const language = schemaFromParser(z.string(), parseLanguage).nullable();

export const createMemberRequestSchema = createPostBodySchema({
  name: nameTextSchema()
    .default('')
    .describe('Label for administrators, at most 200 characters. The member never sees it'),
  starts_at: dateTimeSchema.nullable().default(null).describe(STARTS),
  ends_at: dateTimeSchema.nullable().default(null).describe(ENDS),
  metadata: metadataCreateSchema,
  language: language.default(null).describe(LANGUAGE),
  tag_ids: tagIdsEditSchema.default([]),
}).check(checkEndNotBeforeStart);
export type CreateMemberRequest = z.infer<typeof createMemberRequestSchema>;

export const editMemberRequestSchema = z
  .strictObject({
    name: nameTextSchema()
      .optional()
      .describe('Label for administrators, at most 200 characters. The member never sees it'),
    starts_at: dateTimeSchema.nullish().describe(STARTS),
    ends_at: dateTimeSchema.nullish().describe(ENDS),
    is_deleted: z.boolean().optional().describe('false restores a deleted member, true deletes it'),
    metadata: metadataPatchSchema.optional(),
    language: language.optional().describe(LANGUAGE),
    tag_ids: tagIdsEditSchema.optional(),
  })
  .check(checkEndNotBeforeStart);
export type EditMemberRequest = z.infer<typeof editMemberRequestSchema>;
