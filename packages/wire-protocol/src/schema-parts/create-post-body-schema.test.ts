import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { createPostBodySchema } from './create-post-body-schema.ts';
import { dateTimeSchema } from './date-time.ts';
import { schemaFromParser } from './schema-from-parser.ts';

const zoneOf = (value: unknown, path: string): Result<string> =>
  value === 'UTC' ? ok(value) : failed([createProblem(path, 'invalid_zone', 'must be UTC')]);

const schema = createPostBodySchema({
  name: z.string().min(1),
  code: z.string().min(1).max(3).optional(),
  language: z.string().min(2).nullable().default(null),
  zone: schemaFromParser(z.string(), zoneOf).nullable().default(null),
  title: z.string().default('untitled'),
  count: z.int().min(1).optional(),
  ends_at: dateTimeSchema.nullable().default(null),
  labels: z.array(z.string().min(2)).default([]),
});

const problemsOf = (body: object): string[] => {
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
};

describe('createPostBodySchema', () => {
  const omitted = { name: 'x', language: null, zone: null, title: 'untitled', ends_at: null, labels: [] };

  it('takes null for an optional field as left out', () => {
    expect(schema.parse({ name: 'x' })).toEqual(omitted);
    const nulls = { code: null, language: null, title: null, count: null, ends_at: null, labels: null };
    expect(schema.parse({ name: 'x', ...nulls })).toEqual(omitted);
  });

  it('takes an empty optional text as left out', () => {
    expect(schema.parse({ name: 'x', code: '', language: '', zone: '', title: '' })).toEqual(omitted);
  });

  it('keeps everything else as declared', () => {
    expect(problemsOf({ name: null })).toEqual(['name']);
    expect(problemsOf({ name: '' })).toEqual(['name']);
    expect(problemsOf({ name: 'x', count: '' })).toEqual(['count']);
    expect(problemsOf({ name: 'x', ends_at: '' })).toEqual(['ends_at']);
    expect(problemsOf({ name: 'x', zone: 'CET' })).toEqual(['zone']);
    expect(problemsOf({ name: 'x', code: 'long' })).toEqual(['code']);
    expect(problemsOf({ name: 'x', labels: ['ok', 'n'] })).toEqual(['labels.1']);
    expect(problemsOf({ name: 'x', color: null })).toEqual(['']);
  });

  it('documents null and keeps optional fields optional', () => {
    const documented = z.toJSONSchema(schema, { io: 'input' });
    expect(documented.required).toEqual(['name']);
    expect(documented.properties?.['code']).toEqual({
      anyOf: [{ type: 'string', minLength: 1, maxLength: 3 }, { type: 'null' }],
    });
    expect(documented.properties?.['title']).toMatchObject({ default: 'untitled' });
  });

  it('gives every body its own default', () => {
    expect(schema.parse({ name: 'x' }).labels).not.toBe(schema.parse({ name: 'x' }).labels);
  });
});
