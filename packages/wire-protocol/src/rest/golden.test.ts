import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { restResponseSchemas } from './response-schemas.ts';
import { errorResponseSchema } from './api-error-types.ts';
import { listPageSchema } from './list-page.ts';
import { memberMagicLinkRevealedResponseSchema } from './member-magic-link.ts';
import { memberPinRevealedResponseSchema } from './member-pin.ts';
import { memberTokenRevealedResponseSchema } from './member-token.ts';
import { webhookCreatedResponseSchema } from './webhook.ts';

const folder = new URL('../../golden/rest/', import.meta.url);
const golden = (name: string): unknown => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

const schemas: Record<string, z.ZodObject> = {
  ...restResponseSchemas,
  error: errorResponseSchema,
  member_magic_link_revealed: memberMagicLinkRevealedResponseSchema,
  member_pin_revealed: memberPinRevealedResponseSchema,
  member_token_revealed: memberTokenRevealedResponseSchema,
  webhook_created: webhookCreatedResponseSchema,
};
const names = Object.keys(schemas).map(type => [type.replaceAll('_', '-'), type] as const);

describe('golden files of the REST API', () => {
  it('exist for every object, and for nothing else', () => {
    const files = readdirSync(folder).map(file => file.replace('.json', ''));
    expect(files.toSorted()).toEqual(names.map(([file]) => file).toSorted());
  });

  it.each(names)('round-trip %s byte for byte', (file, type) => {
    const object = golden(file);
    expect(JSON.stringify(schemas[type]!.parse(object))).toBe(JSON.stringify(object));
  });

  it.each(names)('keep fields of a newer version in %s', (file, type) => {
    const object = { ...(golden(file) as object), added_later: { deep: [1] } };
    expect(schemas[type]!.parse(object)).toEqual(object);
  });

  it.each(names)('reject %s without one of its required fields', (file, type) => {
    const schema = schemas[type]!;
    const object = golden(file) as Record<string, unknown>;
    for (const [field, part] of Object.entries(schema.shape)) {
      const { [field]: _, ...rest } = object;
      expect([field, schema.safeParse(rest).success]).toEqual([
        field,
        (part as z.ZodType).safeParse(undefined).success,
      ]);
    }
  });

  it('accept enumeration values of a newer version', () => {
    const event = golden('event') as Record<string, object>;
    const newer = {
      ...event,
      verb: 'lend',
      reason: 'on_holiday',
      subject: { ...event['subject'], access_method: 'face' },
      object: { type: 'lift' },
    };
    expect(restResponseSchemas.event.safeParse(newer).success).toBe(true);
  });

  it('have a cursor only on a page that has a next one', () => {
    const page = listPageSchema(restResponseSchemas.tag);
    expect(page.safeParse({ data: [golden('tag')], has_next: true, cursor_next: 'abc' }).success).toBe(true);
    expect(page.safeParse({ data: [], has_next: false }).success).toBe(true);
    expect(page.safeParse({ data: [{}], has_next: false }).success).toBe(false);
  });
});
