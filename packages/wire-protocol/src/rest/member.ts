import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema, checkEndNotBeforeStart } from '../schema-parts/date-time.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import {
  metadataSchema,
  metadataCreateSchema,
  metadataPatchSchema,
  tagIdsSchema,
  tagIdsEditSchema,
} from './metadata-and-tags.ts';

export const memberResponseSchema = tolerantObjectSchema({
  id: idSchema('member'),
  organization_id: idSchema('organization'),
  name: z.string(),
  starts_at: dateTimeSchema.nullable(),
  ends_at: dateTimeSchema.nullable(),
  is_deleted: z.boolean(),
  created_at: dateTimeSchema,
  metadata: metadataSchema,
  tag_ids: tagIdsSchema,
  language: z.string().nullable(),
});
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
  name: nameTextSchema().default(''),
  starts_at: dateTimeSchema.nullable().default(null),
  ends_at: dateTimeSchema.nullable().default(null),
  metadata: metadataCreateSchema,
  language: language.default(null),
  tag_ids: tagIdsEditSchema.default([]),
}).check(checkEndNotBeforeStart);
export type CreateMemberRequest = z.infer<typeof createMemberRequestSchema>;

export const editMemberRequestSchema = z
  .strictObject({
    name: nameTextSchema().optional(),
    starts_at: dateTimeSchema.nullish(),
    ends_at: dateTimeSchema.nullish(),
    is_deleted: z.boolean().optional(),
    metadata: metadataPatchSchema.optional(),
    language: language.optional(),
    tag_ids: tagIdsEditSchema.optional(),
  })
  .check(checkEndNotBeforeStart);
export type EditMemberRequest = z.infer<typeof editMemberRequestSchema>;
