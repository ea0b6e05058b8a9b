import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { createCardRequestSchema, editCardRequestSchema } from './card.ts';
import { executeActionAsMemberRequestSchema } from './gadget.ts';
import { createGadgetTriggerRequestSchema, editGadgetTriggerRequestSchema } from './gadget-trigger.ts';
import { createMemberRequestSchema, editMemberRequestSchema } from './member.ts';
import { createMemberCardRequestSchema } from './member-card.ts';
import { createMemberEmailRequestSchema } from './member-email.ts';
import { createMemberGroupRequestSchema, editMemberGroupRequestSchema } from './member-group.ts';
import { createMemberGroupAssociationRequestSchema } from './member-group-association.ts';
import { createMemberPinRequestSchema } from './member-pin.ts';
import { emptyBodySchema } from './metadata-and-tags.ts';
import { parseRequestBody } from './parse-request-body.ts';
import { createScheduleRequestSchema, editScheduleRequestSchema } from './schedule.ts';
import { createTagRequestSchema, editTagRequestSchema } from './tag.ts';
import { createWebhookRequestSchema, editWebhookRequestSchema } from './webhook.ts';

const schemas: Record<string, z.ZodType> = {
  createCardRequest: createCardRequestSchema,
  editCardRequest: editCardRequestSchema,
  executeAsMemberRequest: executeActionAsMemberRequestSchema,
  createGadgetTriggerRequest: createGadgetTriggerRequestSchema,
  editGadgetTriggerRequest: editGadgetTriggerRequestSchema,
  createMemberRequest: createMemberRequestSchema,
  editMemberRequest: editMemberRequestSchema,
  createMemberCardRequest: createMemberCardRequestSchema,
  createMemberEmailRequest: createMemberEmailRequestSchema,
  createMemberGroupRequest: createMemberGroupRequestSchema,
  editMemberGroupRequest: editMemberGroupRequestSchema,
  createMemberGroupAssociationRequest: createMemberGroupAssociationRequestSchema,
  createMemberPinRequest: createMemberPinRequestSchema,
  emptyBodySchema,
  createScheduleRequest: createScheduleRequestSchema,
  editScheduleRequest: editScheduleRequestSchema,
  createTagRequest: createTagRequestSchema,
  editTagRequest: editTagRequestSchema,
  createWebhookRequest: createWebhookRequestSchema,
  editWebhookRequest: editWebhookRequestSchema,
};

const taken = (schema: z.ZodType, body: unknown): unknown => {
  const parsed = parseRequestBody(schema, body);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
};
const refusedAt = (schema: z.ZodType, body: unknown): string[] => {
  const parsed = parseRequestBody(schema, body);
  return parsed.ok ? [] : parsed.problems.map(({ path }) => path);
};

describe('request schemas', () => {
  it.each(Object.keys(schemas))('name an unknown field of %s', name => {
    expect(refusedAt(schemas[name]!, { hat: 'blue' })).toContain('hat');
  });

  it.each(Object.keys(schemas))('ignore the prototype of %s', name => {
    expect(refusedAt(schemas[name]!, JSON.parse('{"__proto__": {"name": "x"}}'))).toEqual(['__proto__']);
    expect(refusedAt(schemas[name]!, { constructor: 'x' })).toContain('constructor');
  });

  it('find a prototype key at any depth', () => {
    expect(refusedAt(createMemberRequestSchema, JSON.parse('{"metadata": {"__proto__": "x"}}'))).toEqual([
      'metadata.__proto__',
    ]);
  });

  it.each(Object.keys(schemas))('do not throw on any input for %s', name => {
    const bodies = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true, withSparseArray: true }),
      fc.dictionary(
        fc.constantFrom('name', 'weekdays', 'permissions', 'filter', 'metadata', 'tag_ids', 'uid', 'starts_at', 'url'),
        fc.anything(),
      ),
    );
    fc.assert(
      fc.property(bodies, body => {
        const parsed = parseRequestBody(schemas[name]!, body);
        expect(parsed.ok || parsed.problems.length > 0).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('accept an empty member', () => {
    expect(taken(createMemberRequestSchema, {})).toEqual({
      name: '',
      starts_at: null,
      ends_at: null,
      metadata: {},
      language: null,
      tag_ids: [],
    });
  });

  it('add nothing to an edit', () => {
    expect(taken(editMemberRequestSchema, { ends_at: null })).toEqual({ ends_at: null });
    expect(taken(editWebhookRequestSchema, {})).toEqual({});
  });

  it('convert times to UTC', () => {
    expect(taken(editMemberRequestSchema, { starts_at: '2026-03-29T03:30:00+02:00' })).toEqual({
      starts_at: '2026-03-29T01:30:00.000Z',
    });
    expect(refusedAt(editMemberRequestSchema, { starts_at: '2026-03-29T03:30:00' })).toEqual(['starts_at']);
    expect(refusedAt(editMemberRequestSchema, { starts_at: 1774745999999 })).toEqual(['starts_at']);
  });

  it.each([
    ['createMemberRequest', {}],
    ['editMemberRequest', {}],
    ['createMemberGroupAssociationRequest', { member_group_id: 'mg_1' }],
  ])('reject an end before the start of %s in any offset', (name, rest) => {
    const schema = schemas[name]!;
    const starts_at = '2026-03-29T01:00:00Z';
    expect(refusedAt(schema, { ...rest, starts_at, ends_at: '2026-03-29T02:59:59+02:00' })).toEqual(['ends_at']);
    expect(refusedAt(schema, { ...rest, starts_at, ends_at: '2026-03-29T03:00:00+02:00' })).toEqual([]);
    expect(refusedAt(schema, { ...rest, starts_at, ends_at: null })).toEqual([]);
  });

  it('normalize languages to canonical BCP 47 tags', () => {
    expect(taken(editMemberRequestSchema, { language: 'ES-es' })).toEqual({ language: 'es-ES' });
    expect(refusedAt(editMemberRequestSchema, { language: 'not a language' })).toEqual(['language']);
    expect(refusedAt(editMemberRequestSchema, { language: '' })).toEqual(['language']);
  });

  it('require either the length or the digits of a PIN', () => {
    expect(taken(createMemberPinRequestSchema, { length: 4 })).toEqual({ length: 4, metadata: {} });
    expect(taken(createMemberPinRequestSchema, { pin: '0042' })).toEqual({ pin: '0042', metadata: {} });
    expect(refusedAt(createMemberPinRequestSchema, {})).toEqual(['length']);
    expect(refusedAt(createMemberPinRequestSchema, { length: 4, pin: '0042' })).toEqual(['pin']);
  });

  it.each([3, 21, 4.5, '4', null])('reject a PIN of length %s', length => {
    expect(refusedAt(createMemberPinRequestSchema, { length })).toEqual(['length']);
  });

  it.each(['123', '1'.repeat(21), '12a4', ' 1234', '١٢٣٤', 1234])('reject the PIN %s', pin => {
    expect(refusedAt(createMemberPinRequestSchema, { pin })).toEqual(['pin']);
  });

  it('require at least one identifier of a card', () => {
    expect(taken(createCardRequestSchema, { uid: '04A1B2C3D4E5F6' })).toEqual({
      uid: '04a1b2c3d4e5f6',
      name: '',
      metadata: {},
    });
    expect(refusedAt(createCardRequestSchema, { id: 'crd_1', uid: '00000001', printed_code: 'B-1' })).toEqual([]);
    expect(refusedAt(createCardRequestSchema, { name: 'Blue' })).toEqual(['id']);
  });

  it.each(['04a1b2', '04a1b2c3d4', '04:a1:b2:c3', '04a1b2cg', ' '])('reject the UID %s', uid => {
    expect(refusedAt(createCardRequestSchema, { uid })).toEqual(['uid']);
  });

  it('require exactly one identifier for a member card', () => {
    expect(refusedAt(createMemberCardRequestSchema, { card_id: 'crd_1' })).toEqual([]);
    expect(refusedAt(createMemberCardRequestSchema, { uid: '04A1B2C3', printed_code: 'B-1' })).toEqual([
      'printed_code',
    ]);
    expect(refusedAt(createMemberCardRequestSchema, {})).toEqual(['card_id']);
  });

  it('require the group of an association', () => {
    expect(refusedAt(createMemberGroupAssociationRequestSchema, {})).toEqual(['member_group_id']);
    expect(refusedAt(createMemberGroupAssociationRequestSchema, { member_group_id: 'mga_1' })).toEqual([
      'member_group_id',
    ]);
  });

  it('validate email addresses', () => {
    expect(refusedAt(createMemberEmailRequestSchema, { email: 'ann@example.test' })).toEqual([]);
    expect(refusedAt(createMemberEmailRequestSchema, { email: 'ann' })).toEqual(['email']);
    expect(refusedAt(createMemberEmailRequestSchema, {})).toEqual(['email']);
  });

  it('name the place of every problem in rules and schedules', () => {
    const permissions = [{}, { action_id: 'open' }, { site_id: 'site_1', gadget_id: 'gad_1', hat: 1 }];
    expect(refusedAt(createMemberGroupRequestSchema, { name: 'Guests', permissions }).toSorted()).toEqual([
      'permissions.1.action_id',
      'permissions.2.gadget_id',
      'permissions.2.hat',
    ]);
    const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 5, end: 5 }] }));
    expect(refusedAt(createScheduleRequestSchema, { name: 'Day', weekdays })).toContain('weekdays.6.ranges.0.end');
    expect(refusedAt(createScheduleRequestSchema, { name: 'Day' })).toEqual(['weekdays']);
  });

  it('reject a location that is not on the earth', () => {
    const location = { lat: 41.4, lng: 2.2 };
    expect(refusedAt(executeActionAsMemberRequestSchema, { member_id: 'mem_1' })).toEqual([]);
    expect(
      refusedAt(executeActionAsMemberRequestSchema, { member_id: 'mem_1', location: { ...location, accuracy: 5 } }),
    ).toEqual([]);
    expect(
      refusedAt(executeActionAsMemberRequestSchema, { member_id: 'mem_1', location: { ...location, lat: 91 } }),
    ).toEqual(['location.lat']);
    expect(refusedAt(executeActionAsMemberRequestSchema, { location })).toEqual(['member_id']);
  });

  it('require a target and a known source type of a trigger', () => {
    const target = { target_gadget_id: 'gad_2', target_action_id: 'on' };
    expect(
      refusedAt(createGadgetTriggerRequestSchema, {
        source_type: 'state',
        source_gadget_id: 'gad_1',
        source_state_id: 'x',
        ...target,
      }),
    ).toEqual([]);
    expect(refusedAt(createGadgetTriggerRequestSchema, { source_type: 'moon', ...target })).toEqual(['source_type']);
    expect(refusedAt(createGadgetTriggerRequestSchema, { source_type: 'state' })).toEqual([
      'target_gadget_id',
      'target_action_id',
    ]);
  });
});
