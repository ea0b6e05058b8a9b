import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const files = ['rest', 'admin', 'claiming', 'mqtt', 'mqtt/messages', 'technician', 'schema-parts'].flatMap(folder =>
  readdirSync(new URL(folder, import.meta.url))
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => `./${folder}/${file}`),
);

const schemasOf = async (file: string): Promise<[string, z.ZodType][]> => {
  const exported: Record<string, unknown> = await import(file);
  return Object.entries(exported).filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType);
};

describe('JSON Schema', () => {
  it('can be generated for the input and output of every schema', async () => {
    let shown = 0;
    for (const file of files) {
      for (const [name, schema] of await schemasOf(file)) {
        for (const io of ['input', 'output'] as const) {
          expect(() => z.toJSONSchema(schema, { io }), `${file} ${name} ${io}`).not.toThrow();
          shown++;
        }
      }
    }
    expect(shown).toBeGreaterThan(120);
  });

  it('contains the shape of values that a parser checks', async () => {
    const { createScheduleRequestSchema } = await import('./rest/schedule.ts');
    expect(z.toJSONSchema(createScheduleRequestSchema, { io: 'input' }).properties).toMatchObject({
      weekdays: { type: 'array', minItems: 7, maxItems: 7, items: { required: ['ranges'] } },
    });
  });
});
