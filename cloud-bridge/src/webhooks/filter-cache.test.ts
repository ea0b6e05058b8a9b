import { describe, expect, it } from 'vitest';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import { WebhookFilterCache } from './filter-cache.ts';

describe('WebhookFilterCache', () => {
  const filters = new WebhookFilterCache();
  const event = {
    verb: 'use',
    object_type: 'gadget',
    object_gadget_id: 'gad_1',
    created_at: 1000,
  } as OrganizationEventRow;

  it.each([
    [false, []],
    [true, [{ object_type: 'gadget' }]],
    [true, [{ 'object.type': 'gadget', verb: null }]],
    [false, [{ object_type: 'gadget', verb: 'create' }]],
    [true, [{ object_type: 'member' }, { object_type: 'gadget', verb: 'use' }]],
    [true, [{ 'object.gadget_id': 'gad_1' }]],
    [false, [{ 'object.gadget_id': 'gad_2' }]],
    [false, [{ object_type: 'gadget', 'created_at:gt': '1970-01-01T00:00:01Z' }]],
    [true, [{ object_type: 'gadget', 'created_at:ge': '1970-01-01T00:00:01Z' }]],
    [false, [{ object_type: 'gadget', unknown: 'x' }]],
  ])('is %s for %j', (expected, rules) => {
    expect(filters.matches(JSON.stringify(rules), event)).toBe(expected);
  });
});
