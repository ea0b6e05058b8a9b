import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { technicianResponseSchemas } from './response-schemas.ts';
import { technicianLiveMessageSchema } from './live-message.ts';

const folder = new URL('../../golden/technician/', import.meta.url);
const golden = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

const names = Object.entries(technicianResponseSchemas).map(
  ([type, schema]) => [type.replaceAll('_', '-'), schema as z.ZodObject] as const,
);

/** Parts of other objects. */
const parts = ['technicianIdentitySchema', 'technicianEventResponseSchema'];

describe('golden files of the technician API', () => {
  it('cover every response', async () => {
    const known = new Set<unknown>(Object.values(technicianResponseSchemas));
    const files = readdirSync(import.meta.dirname).filter(file => /^[a-z-]+\.ts$/.test(file));
    const exported = await Promise.all(files.map(async file => Object.entries((await import(`./${file}`)) as object)));
    // Requests are strict. Responses accept fields of a newer version.
    const responses = exported
      .flat()
      .filter(([, value]) => value instanceof z.ZodObject && value.def.catchall instanceof z.ZodUnknown);
    const missing = responses.filter(([name, schema]) => !known.has(schema) && !parts.includes(name));
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('exist for every object, and for nothing else', () => {
    const files = readdirSync(folder).map(file => file.replace('.json', ''));
    expect(files.toSorted()).toEqual([...names.map(([file]) => file), 'live'].toSorted());
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

  it('cover every event of the live view, without digits of keys', () => {
    const events = golden('live') as unknown as { readonly type: string }[];
    expect(events.map(one => technicianLiveMessageSchema.parse(one))).toEqual(events);
    expect(new Set(events.map(({ type }) => type)).size).toBe(technicianLiveMessageSchema.options.length);
    expect(technicianLiveMessageSchema.safeParse({ type: 'key', station: 'front', key: '7' }).success).toBe(false);
  });
});
