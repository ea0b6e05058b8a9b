import { idPrefixes } from '@lintel/access-core/ids';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { answers } from './answer-table.ts';
import { eventAnswer } from './event.ts';
import { filterNames } from './filter.ts';
import { resourceTypes } from './resource-fields.ts';
import { resourceTable } from './resource-table.ts';

test.each(resourceTypes)('%s has the same fields in the table as in its answers', type => {
  const shape: Record<string, z.ZodType> = answers[type].shape;
  expect(Object.keys(resourceTable[type].fields).toSorted()).toEqual(Object.keys(shape).toSorted());
});

test.each(resourceTypes)('%s has the same nullable fields in the table as in its answers', type => {
  const shape: Record<string, z.ZodType> = answers[type].shape;
  for (const [name, { nullable }] of Object.entries(resourceTable[type].fields)) {
    expect([name, shape[name]!.safeParse(null).success]).toEqual([name, nullable]);
  }
});

test.each(resourceTypes)('%s expands through fields that are there', type => {
  for (const spec of Object.values(resourceTable[type].expands)) {
    const [holder, field] = spec.kind === 'many' ? [spec.target, spec.foreign] : [type, spec.field.split('.')[0]];
    expect(Object.keys(resourceTable[holder].fields)).toContain(field);
  }
});

test('ids of the table are ids of the core', () => {
  const kinds = resourceTypes.map(type => resourceTable[type].idKind).filter(kind => kind !== null);
  expect(Object.keys(idPrefixes)).toEqual(expect.arrayContaining(kinds));
});

test("an event's filters name every id of its subject and of its object, and nothing else of them", () => {
  const idsOf = (part: 'subject' | 'object'): string[] =>
    Object.keys(eventAnswer.shape[part].shape)
      .filter(name => name.endsWith('_id'))
      .map(name => `${part}.${name}`);
  const filters = filterNames('event').filter(name => /^(subject|object)\..*_id$/.test(name));
  expect(filters.toSorted()).toEqual([...idsOf('subject'), ...idsOf('object')].toSorted());
});

test('expands are those that the decisions name', () => {
  const names = (type: keyof typeof resourceTable): string[] => Object.keys(resourceTable[type].expands).toSorted();
  expect(names('member')).toEqual(
    ['cards', 'emails', 'group_associations', 'magic_links', 'organization', 'pins', 'tags', 'tokens'].toSorted(),
  );
  expect(names('device')).toEqual(['gadgets', 'organization', 'product', 'site', 'tags']);
  expect(names('site')).toEqual(['devices', 'gadgets', 'organization', 'tags']);
  expect(names('gadget')).toEqual(['device', 'organization', 'site', 'tags']);
  expect(names('member_group_association')).toEqual(['member', 'member_group', 'organization']);
  expect(names('gadget_trigger')).toEqual([
    'organization',
    'site',
    'source_gadget',
    'source_schedule',
    'target_gadget',
  ]);
  expect(names('event')).toEqual(
    expect.arrayContaining([
      'subject_member',
      'subject_member_pin',
      'subject_oauth_application',
      'subject_user',
      'object_gadget',
      'object_device',
      'object_schedule',
      'object_tag',
    ]),
  );
  expect(names('event')).not.toContain('object_gadget_action');
});

test('the newest come first by creation, or by id where creation is not told', () => {
  expect(resourceTable.member.defaultSort).toEqual({ field: 'created_at', direction: 'desc' });
  expect(resourceTable.product.defaultSort).toEqual({ field: 'id', direction: 'desc' });
});
