import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { adminOnlyResponseSchemas } from './response-schemas-by-object-name.ts';

const folder = new URL('../../golden/admin/', import.meta.url);
const golden = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

const names = Object.entries(adminOnlyResponseSchemas).map(
  ([type, schema]) => [type.replaceAll('_', '-'), schema as z.ZodObject] as const,
);

describe('golden files of the administration API', () => {
  it('exist for every object, and for nothing else', () => {
    const files = readdirSync(folder).map(file => file.replace('.json', ''));
    expect(files.toSorted()).toEqual(names.map(([file]) => file).toSorted());
  });

  it.each(names)('round-trip %s byte for byte, with fields of a newer version', (file, schema) => {
    const object = { ...golden(file), added_later: { deep: [1] } };
    expect(JSON.stringify(schema.parse(object))).toBe(JSON.stringify(object));
  });

  it.each(names)('reject %s without one of its required fields', (file, schema) => {
    for (const field of Object.keys(schema.shape)) {
      const { [field]: _, ...rest } = golden(file);
      expect([field, schema.safeParse(rest).success]).toEqual([field, false]);
    }
  });
});
