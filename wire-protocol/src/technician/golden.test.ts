import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { technicianAnswers } from './answer-table.ts';
import { liveHappening } from './live.ts';

const folder = new URL('../../golden/technician/', import.meta.url);
const golden = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

const names = Object.entries(technicianAnswers).map(
  ([type, schema]) => [type.replaceAll('_', '-'), schema as z.ZodObject] as const,
);

test('every object of the technician API has its golden file and every golden file its object', () => {
  const files = readdirSync(folder).map(file => file.replace('.json', ''));
  expect(files.toSorted()).toEqual([...names.map(([file]) => file), 'live'].toSorted());
});

test.each(names)('%s is read and written again byte for byte, with what a newer version adds', (file, schema) => {
  const object = { ...golden(file), added_later: { deep: [1] } };
  expect(JSON.stringify(schema.parse(object))).toBe(JSON.stringify(object));
});

test.each(names)('%s without one of its required fields is refused', (file, schema) => {
  for (const field of Object.keys(schema.shape)) {
    const { [field]: _, ...rest } = golden(file);
    expect([field, schema.safeParse(rest).success]).toEqual([field, false]);
  }
});

test('everything that the live view tells is read as it was written, and has no digit for a key', () => {
  const told = golden('live') as unknown as { readonly type: string }[];
  expect(told.map(one => liveHappening.parse(one))).toEqual(told);
  expect(new Set(told.map(({ type }) => type)).size).toBe(liveHappening.options.length);
  expect(liveHappening.safeParse({ type: 'key', station: 'front', key: '7' }).success).toBe(false);
});
