import { mustBeObject, mustBeStorableText, mustBeString } from '@lintel/access-core/problem-texts';
import { ProblemList } from '@lintel/access-core/problem-list';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { isStorableText, plainTextSchema } from '../schema-parts/plain-text.ts';

const MOST_BYTES = 1024;
/** More keys than this never fit into the bytes, so they are not checked one by one. */
const MOST_KEYS = 200;

/** Metadata in responses. */
export const metadataSchema = z
  .record(z.string(), z.string())
  .describe(
    'Texts that clients attached, by key. Everyone with administrator or API access to the organization can see them',
  );
export type Metadata = z.infer<typeof metadataSchema>;

export type MetadataPatch = Record<string, string | null>;

const utf8 = new TextEncoder();

const tooLarge = (path: string): Result<never> =>
  failed([createProblem(path, 'too_large', `must be at most ${MOST_BYTES} bytes of JSON`)]);

const withinBytes = (given: Metadata, path: string): Result<Metadata> =>
  utf8.encode(JSON.stringify(given)).length <= MOST_BYTES ? ok(given) : tooLarge(path);

const parseEntries = (value: unknown, path: string, mayBeNull: boolean): Result<MetadataPatch> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return failed([createProblem(path, 'invalid_type', mustBeObject)]);
  if (Object.keys(value).length > MOST_KEYS) return tooLarge(path);
  const entries: [string, unknown][] = Object.entries(value);
  const problems = new ProblemList();
  for (const [key, text] of entries) {
    if (typeof text !== 'string' && !(mayBeNull && text === null))
      problems.add(`${path}.${key}`, 'invalid_type', mustBeString);
    else if (!isStorableText(key) || !isStorableText(text ?? ''))
      problems.add(`${path}.${key}`, 'invalid_text', mustBeStorableText);
  }
  return problems.resultOf(Object.fromEntries(entries) as MetadataPatch);
};

const parseMetadata = (value: unknown, path: string): Result<Metadata> => {
  const parsed = parseEntries(value, path, false);
  return parsed.ok ? withinBytes(parsed.value as Metadata, path) : parsed;
};

const text = plainTextSchema(MOST_BYTES);

export const metadataCreateSchema = schemaFromParser(z.record(text, text), parseMetadata)
  .default({})
  .describe('Texts of your application by key, such as a reference of your own. At most 1024 bytes of JSON');

/** Merged into the existing metadata; null removes a key. */
export const metadataPatchSchema = schemaFromParser(z.record(text, text.nullable()), (value, path) =>
  parseEntries(value, path, true),
).describe(
  'Merged into the existing metadata: null removes a key, keys that are left out stay. The result has at most 1024 bytes of JSON',
);

export const mergeMetadata = (current: Metadata, patch: MetadataPatch): Result<Metadata> => {
  const merged = new Map<string, string>(Object.entries(current));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return withinBytes(Object.fromEntries(merged), 'metadata');
};

export const tagIdsSchema = z.array(idSchema('tag')).describe('Ids of the tags of the object');

export const tagIdsEditSchema = tagIdsSchema
  .max(100)
  .overwrite(ids => [...new Set(ids)])
  .describe('Ids of the tags of the object, at most 100. They replace the tags that it has');

/** PATCH of credentials, associations and the organization. */
export const editMetadataRequestSchema = z.strictObject({ metadata: metadataPatchSchema.optional() });

export const metadataAndTagCreateFields = {
  metadata: metadataCreateSchema,
  tag_ids: tagIdsEditSchema.default([]),
};

export const metadataAndTagEditFields = {
  metadata: metadataPatchSchema.optional(),
  tag_ids: tagIdsEditSchema.optional(),
};

/** PATCH of sites, devices and gadgets. */
export const editMetadataAndTagsRequestSchema = z.strictObject(metadataAndTagEditFields);

export const emptyBodySchema = z.strictObject({});
