import { expect, test } from 'vitest';
import { parseRequest } from './request.ts';
import { webhookCreate } from './webhook.ts';
import { filtersOfRule } from './webhook-filter.ts';

const url = 'https://pms.example.test/hook';

const refusedAt = (body: object): string[] => {
  const parsed = parseRequest(webhookCreate, { url, ...body });
  return parsed.ok ? [] : parsed.problems.map(({ path }) => path);
};

test('a webhook is enabled and matches nothing unless it is told otherwise', () => {
  expect(parseRequest(webhookCreate, { url })).toEqual({
    ok: true,
    value: { url, filter: [], expand: [], is_enabled: true, metadata: {} },
  });
});

test.each(['http://localhost:8080/x', 'http://127.0.0.1/x', 'https://user@host.test/?a=1'])('%s is an address', to => {
  expect(refusedAt({ url: to })).toEqual([]);
});

test.each(['ftp://host.test/', 'javascript:alert(1)', 'host.test/hook', '', 7])('%s is no address', to => {
  expect(refusedAt({ url: to })).toEqual(['url']);
});

test.each([
  { object_type: 'gadget_action' },
  { object_type: 'gadget_action', verb: null },
  { 'object.type': 'member', verb: 'edit' },
  { object_type: 'schedule', verb: 'deny' },
  { object_type: 'gadget_action', 'object.gadget_id': 'gad_1', 'created_at:gt': '2026-01-01T00:00:00Z' },
  { 'subject.member_id': 'mem_1' },
])('the rule %j is taken as it is', rule => {
  const parsed = parseRequest(webhookCreate, { url, filter: [rule] });
  expect(parsed).toMatchObject({ ok: true, value: { filter: [rule] } });
});

test.each([
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
])('the rule %j is refused', (rule, field) => {
  expect(refusedAt({ filter: [{ object_type: 'site' }, rule] })).toEqual([`filter.1.${field}`]);
});

test('expands are those of an event', () => {
  expect(refusedAt({ expand: ['subject_member.group_associations', 'object_gadget'] })).toEqual([]);
  expect(refusedAt({ expand: ['object_gadget', 'room'] })).toEqual(['expand.1']);
  expect(refusedAt({ expand: ['object_gadget,subject_member'] })).toEqual(['expand.0']);
});

test('a rule is the filters of the list of events', () => {
  expect(filtersOfRule({ object_type: 'gadget_action', verb: null, 'object.gadget_id': 'gad_1' })).toEqual([
    { kind: 'equals', field: 'object.type', value: 'gadget_action' },
    { kind: 'equals', field: 'object.gadget_id', value: 'gad_1' },
  ]);
});

test('a stored rule that is not understood matches nothing rather than everything', () => {
  expect(filtersOfRule({ object_type: 'member', 'subject.hat': 'blue' })).toBeNull();
});
