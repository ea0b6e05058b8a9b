import { failed, ok, problem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { createObject } from '../schema-parts/create-object.ts';
import { dateTime, endsNotBeforeStart } from '../schema-parts/date-time.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { metadata, metadataCreate, metadataPatch, tagIds, tagIdsEdit } from './metadata.ts';

export const memberResponse = tolerantObject({
  id: idSchema('member'),
  organization_id: idSchema('organization'),
  name: z.string(),
  starts_at: dateTime.nullable(),
  ends_at: dateTime.nullable(),
  is_deleted: z.boolean(),
  created_at: dateTime,
  metadata,
  tag_ids: tagIds,
  language: z.string().nullable(),
});
export type MemberResponse = z.infer<typeof memberResponse>;

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
  return failed([problem(path, 'invalid_language', 'must be a BCP 47 language tag such as en or es-ES')]);
};

const language = schemaFromParser(z.string(), parseLanguage).nullable();

export const memberCreate = createObject({
  name: nameText().default(''),
  starts_at: dateTime.nullable().default(null),
  ends_at: dateTime.nullable().default(null),
  metadata: metadataCreate,
  language: language.default(null),
  tag_ids: tagIdsEdit.default([]),
}).check(endsNotBeforeStart);
export type MemberCreate = z.infer<typeof memberCreate>;

export const memberEdit = z
  .strictObject({
    name: nameText().optional(),
    starts_at: dateTime.nullish(),
    ends_at: dateTime.nullish(),
    is_deleted: z.boolean().optional(),
    metadata: metadataPatch.optional(),
    language: language.optional(),
    tag_ids: tagIdsEdit.optional(),
  })
  .check(endsNotBeforeStart);
export type MemberEdit = z.infer<typeof memberEdit>;
