import { describe, expect, it } from 'vitest';
import { parseRequestBody } from './parse-request-body.ts';
import { createWebhookRequestSchema } from './webhook.ts';
import { parseWebhookFilterRule } from './webhook-filter.ts';

const url = 'https://pms.example.test/hook';

const refusedAt = (body: object): string[] => {
  const parsed = parseRequestBody(createWebhookRequestSchema, { url, ...body });
  return parsed.ok ? [] : parsed.problems.map(({ path }) => path);
};

describe('webhook schema', () => {
  it('is enabled and matches nothing by default', () => {
    expect(parseRequestBody(createWebhookRequestSchema, { url })).toEqual({
      ok: true,
      value: { url, filter: [], expand: [], is_enabled: true, metadata: {} },
    });
  });

  it.each(['http://localhost:8080/x', 'http://127.0.0.1/x', 'https://host.test/@user:1?a=1'])(
    'accepts the URL %s',
    to => {
      expect(refusedAt({ url: to })).toEqual([]);
    },
  );

  it.each([
    'ftp://host.test/',
    'javascript:alert(1)',
    'host.test/hook',
    '',
    7,
    'https://user@host.test/',
    'https://user:password@host.test/',
    'https://:password@host.test/',
  ])('rejects the URL %s', to => {
    expect(refusedAt({ url: to })).toEqual(['url']);
  });

  it.each([
    { object_type: 'gadget_action' },
    { object_type: 'gadget_action', verb: null },
    { 'object.type': 'member', verb: 'edit' },
    { object_type: 'schedule', verb: 'deny' },
    { object_type: 'gadget_action', 'object.gadget_id': 'gad_1', 'created_at:gt': '2026-01-01T00:00:00Z' },
    { 'subject.member_id': 'mem_1' },
  ])('accepts the rule %j', rule => {
    const parsed = parseRequestBody(createWebhookRequestSchema, { url, filter: [rule] });
    expect(parsed).toMatchObject({ ok: true, value: { filter: [rule] } });
  });

  it.each([
    [{}, 'object_type'],
    [{ verb: 'use' }, 'object_type'],
    [{ object_type: 'lift' }, 'object_type'],
    [{ object_type: null }, 'object_type'],
    [{ object_type: 'member', 'object.type': 'site' }, 'object_type'],
    [{ object_type: 'member', verb: 'lend' }, 'verb'],
    [{ object_type: 'member', hat: 'blue' }, 'hat'],
    [{ object_type: 'member', is_deleted: 'any' }, 'is_deleted'],
    [{ object_type: 'member', 'created_at:gt': 'yesterday' }, 'created_at:gt'],
    [{ object_type: 'member', 'subject.member_id': 7 }, 'subject.member_id'],
  ])('rejects the rule %j', (rule, field) => {
    expect(refusedAt({ filter: [{ object_type: 'site' }, rule] })).toEqual([`filter.1.${field}`]);
  });

  it('accepts the expands of events', () => {
    expect(refusedAt({ expand: ['subject_member.group_associations', 'object_gadget'] })).toEqual([]);
    expect(refusedAt({ expand: ['object_gadget', 'room'] })).toEqual(['expand.1']);
    expect(refusedAt({ expand: ['object_gadget,subject_member'] })).toEqual(['expand.0']);
  });

  it('converts a rule to the filters of the event list', () => {
    expect(parseWebhookFilterRule({ object_type: 'gadget_action', verb: null, 'object.gadget_id': 'gad_1' })).toEqual([
      { kind: 'equals', field: 'object.type', value: 'gadget_action' },
      { kind: 'equals', field: 'object.gadget_id', value: 'gad_1' },
    ]);
  });

  it('matches nothing for a stored rule of an unknown form', () => {
    expect(parseWebhookFilterRule({ object_type: 'member', 'subject.hat': 'blue' })).toBeNull();
  });
});
