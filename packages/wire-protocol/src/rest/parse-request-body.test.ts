import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { createDeviceRequestSchema } from './device.ts';
import { createMemberRequestSchema } from './member.ts';
import { createMemberGroupRequestSchema } from './member-group.ts';
import { parseRequestBody } from './parse-request-body.ts';
import { createScheduleRequestSchema } from './schedule.ts';
import { createWebhookRequestSchema } from './webhook.ts';

/** The first overflows the stack when it is spread into one call; the second reaches the schemas. */
const sizes = [140_000, 35_000];

const fields = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, value]));
const list = (count: number, value: unknown) => Array.from({ length: count }, () => value);
const url = 'https://pms.example.test/';

const hostile: readonly (readonly [string, z.ZodType, (count: number) => unknown])[] = [
  ['unknown fields', createMemberRequestSchema, count => fields(count, 1)],
  ['metadata', createMemberRequestSchema, count => ({ metadata: fields(count, 1) })],
  ['tags', createMemberRequestSchema, count => ({ tag_ids: list(count, 1) })],
  ['permission rules', createMemberGroupRequestSchema, count => ({ permissions: list(count, 1) })],
  ['fields of a permission rule', createMemberGroupRequestSchema, count => ({ permissions: [fields(count, 1)] })],
  ['fields of a weekday', createScheduleRequestSchema, count => ({ weekdays: [...list(6, {}), fields(count, 1)] })],
  ['conditions of a filter', createWebhookRequestSchema, count => ({ url, filter: [fields(count, 1)] })],
  ['expands', createWebhookRequestSchema, count => ({ url, expand: list(count, 1) })],
  ['gadgets', createDeviceRequestSchema, count => ({ gadgets: list(count, {}) })],
  ['actions', createDeviceRequestSchema, count => ({ gadgets: [{ actions: list(count, {}) }] })],
];

describe('parseRequest of an oversized body', () => {
  it.each(hostile)('reports at most a hundred problems for %s', (_, schema, bodyOf) => {
    for (const size of sizes) {
      const parsed = parseRequestBody(schema, bodyOf(size));
      expect(parsed.ok).toBe(false);
      expect(parsed.ok ? 0 : parsed.problems.length).toBeLessThanOrEqual(100);
    }
  });

  it('names the list that exceeds the total number of values', () => {
    const gadgets = Array.from({ length: 5 }, () => ({
      name: 'Door',
      actions: Array.from({ length: 9_000 }, () => 1),
    }));
    expect(parseRequestBody(createDeviceRequestSchema, { gadgets })).toMatchObject({
      problems: [{ path: 'gadgets.0.actions', code: 'too_many' }],
    });
  });
});

describe('parseRequestBody', () => {
  it('accepts a schedule with a range for every minute of the week', () => {
    const ranges = Array.from({ length: 1_440 }, (_, minute) => ({ start: minute * 60, end: minute * 60 + 60 }));
    expect(
      parseRequestBody(createScheduleRequestSchema, {
        weekdays: Array.from({ length: 7 }, () => ({ ranges: structuredClone(ranges) })),
      }).ok,
    ).toBe(true);
  });

  it('names a key __proto__ at any depth', () => {
    const body: unknown = JSON.parse('{"permissions": [{"access_methods": {"__proto__": true}}]}');
    expect(parseRequestBody(createMemberGroupRequestSchema, body)).toMatchObject({
      problems: [{ path: 'permissions.0.access_methods.__proto__', code: 'unknown_field' }],
    });
  });
});
