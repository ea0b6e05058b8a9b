import { idPrefixes } from '@lintel/access-core/ids';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { restResponseSchemas } from './response-schemas.ts';
import { eventResponseSchema } from './event.ts';
import { getListFilterNames } from './list-filter.ts';
import { resourceTypes } from './resource-types-and-field-types.ts';
import { resourceDefinitions } from './resource-definitions.ts';

describe('resource table', () => {
  it.each(resourceTypes)('has the fields of the response for %s', type => {
    const shape: Record<string, z.ZodType> = restResponseSchemas[type].shape;
    expect(Object.keys(resourceDefinitions[type].fields).toSorted()).toEqual(Object.keys(shape).toSorted());
  });

  it.each(resourceTypes)('has the nullable fields of the response for %s', type => {
    const shape: Record<string, z.ZodType> = restResponseSchemas[type].shape;
    for (const [name, { nullable }] of Object.entries(resourceDefinitions[type].fields)) {
      expect([name, shape[name]!.safeParse(null).success]).toEqual([name, nullable]);
    }
  });

  it.each(resourceTypes)('expands %s through existing fields', type => {
    for (const spec of Object.values(resourceDefinitions[type].expands)) {
      const [holder, field] = spec.kind === 'many' ? [spec.target, spec.foreign] : [type, spec.field.split('.')[0]];
      expect(Object.keys(resourceDefinitions[holder].fields)).toContain(field);
    }
  });

  it('uses the id kinds of access-core', () => {
    const kinds = resourceTypes.map(type => resourceDefinitions[type].idKind).filter(kind => kind !== null);
    expect(Object.keys(idPrefixes)).toEqual(expect.arrayContaining(kinds));
  });

  it('filters events by every id of subject and object', () => {
    const idsOf = (part: 'subject' | 'object'): string[] =>
      Object.keys(eventResponseSchema.shape[part].shape)
        .filter(name => name.endsWith('_id'))
        .map(name => `${part}.${name}`);
    const filters = getListFilterNames('event').filter(name => /^(subject|object)\..*_id$/.test(name));
    expect(filters.toSorted()).toEqual([...idsOf('subject'), ...idsOf('object')].toSorted());
  });

  it('has the documented expands', () => {
    const names = (type: keyof typeof resourceDefinitions): string[] =>
      Object.keys(resourceDefinitions[type].expands).toSorted();
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

  it('sorts the newest first, by creation or by id', () => {
    expect(resourceDefinitions.member.defaultSort).toEqual({ field: 'created_at', direction: 'desc' });
    expect(resourceDefinitions.product.defaultSort).toEqual({ field: 'id', direction: 'desc' });
  });
});
