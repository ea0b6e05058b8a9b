import { idPrefixes } from '@lintel/access-core/ids';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getListFilterNames, parseListFilter } from './list-filter.ts';
import { type ListQuery, parseListQuery } from './list-query.ts';
import { resourceTypes } from './resource-types-and-field-types.ts';
import { resourceDefinitions } from './resource-definitions.ts';

type Type = (typeof resourceTypes)[number];

const parse = (type: Type, raw: Record<string, unknown>): ListQuery => {
  const parsed = parseListQuery(type, raw);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
};

const refused = (type: Type, raw: Record<string, unknown>): string[] => {
  const parsed = parseListQuery(type, raw);
  return parsed.ok ? [] : parsed.problems.map(({ path, code }) => `${path} ${code}`);
};

describe('parseListQuery', () => {
  it('defaults to 100 living items, newest first', () => {
    expect(parse('member', {})).toEqual({
      limit: 100,
      sort: { field: 'created_at', direction: 'desc' },
      cursor: null,
      q: null,
      expand: new Map(),
      filters: [{ kind: 'deletion', value: false }],
    });
  });

  it('does not filter by deletion where objects cannot be deleted', () => {
    expect(parse('event', {}).filters).toEqual([]);
    expect(refused('event', { is_deleted: 'any' })).toEqual(['is_deleted unsupported_filter']);
  });

  it.each(['1', '100', '007'])('accepts limit %s', limit => {
    expect(parse('site', { limit }).limit).toBe(Number(limit));
  });

  it.each(['0', '101', '-1', '1.5', '', ' 5', '1e1', 'all'])('rejects limit %j', limit => {
    expect(refused('site', { limit })).toEqual(['limit out_of_range']);
  });

  it('sorts by a sortable field and a direction', () => {
    expect(parse('member', { sort: 'name:asc' }).sort).toEqual({ field: 'name', direction: 'asc' });
    expect(parse('event', { sort: 'recorded_at:asc' }).sort).toEqual({ field: 'recorded_at', direction: 'asc' });
  });

  it.each([
    'name',
    'name:up',
    'metadata:asc',
    'nonsense:asc',
    '__proto__:asc',
    'toString:desc',
    ':asc',
    'name:asc:asc',
  ])('rejects sort %s', sort => {
    expect(refused('member', { sort })).toEqual(['sort invalid_sort']);
  });

  it('accepts q for emails, member groups and schedules only', () => {
    const searchable = resourceTypes.filter(type => resourceDefinitions[type].searchable);
    expect(searchable).toEqual(['member_email', 'member_group', 'schedule']);
    expect(parse('schedule', { q: 'day' }).q).toBe('day');
    expect(refused('member', { q: 'ann' })).toEqual(['q unsupported_filter']);
  });

  it('returns typed filters in a fixed order', () => {
    const raw = {
      tag_id: 'tag_1',
      'metadata.sourceID': 'R-1',
      'metadata[source]': 'pms',
      is_deleted: 'any',
      email: 'ann@example.test',
      'created_at:gt': '2026-03-29T03:00:00+02:00',
    };
    const { filters } = parse('member', raw);
    expect(filters).toEqual([
      { kind: 'range', field: 'created_at', operator: 'gt', value: Date.UTC(2026, 2, 29, 1), microsecond: 0 },
      { kind: 'equals', field: 'email', value: 'ann@example.test' },
      { kind: 'deletion', value: 'any' },
      { kind: 'metadata', key: 'sourceID', value: 'R-1' },
      { kind: 'metadata', key: 'source', value: 'pms' },
      { kind: 'tag', value: 'tag_1' },
    ]);
    expect(parse('member', Object.fromEntries(Object.entries(raw).toReversed())).filters).toEqual(filters);
  });

  it('keeps times to the microsecond', () => {
    const { filters } = parse('event', { 'recorded_at:gt': '2026-03-29T01:00:04.123456789Z' });
    expect(filters).toMatchObject([{ value: Date.UTC(2026, 2, 29, 1, 0, 4, 123), microsecond: 456 }]);
  });

  it.each([
    ['member', 'type'],
    ['member', 'metadata'],
    ['member', 'metadata.'],
    ['member', 'metadata[]'],
    ['member', 'metadata[a'],
    ['member', 'created_at'],
    ['member', 'created_at:eq'],
    ['member', 'email:gt'],
    ['member', 'starts_at'],
    ['member', 'constructor'],
    ['member', '__proto__'],
    ['product', 'is_deleted'],
    ['product', 'metadata.a'],
    ['schedule', 'tag_id'],
    ['event', 'subject.client_id'],
    ['event', 'subject.ip_address'],
    ['event', 'metadata.a'],
  ] as const)('rejects for %s the filter %s', (type, name) => {
    expect(refused(type, JSON.parse(`{"${name}": "x"}`))).toEqual([`${name} unsupported_filter`]);
  });

  it('checks values of a closed set', () => {
    expect(refused('event', { verb: 'lend' })).toEqual(['verb invalid_value']);
    expect(refused('event', { 'object.type': 'lift' })).toEqual(['object.type invalid_value']);
    expect(refused('member', { is_deleted: 'yes' })).toEqual(['is_deleted invalid_value']);
    expect(refused('event', { 'created_at:gt': 'yesterday' })).toEqual(['created_at:gt invalid_time']);
  });

  it('takes several ids and values, separated by commas', () => {
    expect(
      parse('event', { verb: 'create,edit,create', 'object.member_id': 'mem_1,mem_2', reason: 'fault' }).filters,
    ).toEqual([
      { kind: 'in', field: 'object.member_id', values: ['mem_1', 'mem_2'] },
      { kind: 'equals', field: 'reason', value: 'fault' },
      { kind: 'in', field: 'verb', values: ['create', 'edit'] },
    ]);
    expect(refused('event', { verb: 'create,lend' })).toEqual(['verb invalid_value']);
    expect(refused('event', { verb: 'create,' })).toEqual(['verb invalid_value']);
  });

  it('rejects an id of another kind of object', () => {
    expect(refused('event', { 'object.gadget_id': 'gad_1,mem_1' })).toEqual(['object.gadget_id invalid_id']);
    expect(refused('member', { tag_id: 'mem_1', member_group_id: 'mg_none' })).toEqual(['tag_id invalid_id']);
    expect(refused('member_group', { gadget_id: 'site_1' })).toEqual(['gadget_id invalid_id']);
    expect(refused('gadget', { device_id: '' })).toEqual(['device_id invalid_id']);
  });

  it('finds a card by its UID in any case', () => {
    expect(parse('card', { uid: '04A1B2C3', is_deleted: 'any' }).filters).toContainEqual({
      kind: 'equals',
      field: 'uid',
      value: '04a1b2c3',
    });
    expect(refused('card', { uid: '04A1' })).toEqual(['uid invalid_uid']);
  });

  it('names a parameter that is given twice', () => {
    expect(refused('member', { email: ['a', 'b'] })).toEqual(['email repeated']);
    expect(refused('member', { limit: ['1', '1'] })).toEqual(['limit repeated']);
  });

  it('reports all problems at once', () => {
    expect(refused('member', { limit: '0', sort: 'x', expand: 'room', hat: 'blue' })).toEqual([
      'limit out_of_range',
      'sort invalid_sort',
      'expand invalid_expand',
      'hat unsupported_filter',
    ]);
  });

  it('accepts every filter of the resource table', () => {
    for (const type of resourceTypes) {
      for (const name of getListFilterNames(type)) {
        const { filters } = resourceDefinitions[type];
        const spec = filters[name] ?? { kind: 'range' };
        const value = {
          choice: 'values' in spec ? spec.values[0] : '',
          deletion: 'true',
          range: '2026-01-01T00:00:00Z',
          validity: '2026-01-01T00:00:00Z',
          id: 'of' in spec ? `${idPrefixes[spec.of]}1` : '',
          uid: '04a1b2c3',
          rule: 'gad_1',
          tag: 'tag_1',
          group: 'mg_1',
        };
        expect(refused(type, { [name]: value[spec.kind as keyof typeof value] ?? 'x' })).toEqual([]);
      }
    }
  });

  it('does not throw on any query', () => {
    const names = fc.oneof(
      fc.string(),
      fc.constantFrom(...getListFilterNames('event'), 'limit', 'sort', 'expand', 'metadata.a'),
    );
    const values = fc.oneof(fc.string(), fc.anything());
    fc.assert(
      fc.property(fc.constantFrom(...resourceTypes), fc.dictionary(names, values), (type, raw) => {
        expect(() => parseListQuery(type, raw)).not.toThrow();
      }),
    );
  });
});

describe('parseListFilter', () => {
  it.each([
    ['sitee_id', "is not a supported filter. Did you mean 'site_id'?"],
    ['createdat:gt', "is not a supported filter. Did you mean 'created_at:gt'?"],
    ['Porduct_Id', "is not a supported filter. Did you mean 'product_id'?"],
    ['color', 'is not a supported filter'],
    ['', 'is not a supported filter'],
    ['s'.repeat(10_000), 'is not a supported filter'],
  ])('explains the unsupported filter %s', (name, message) => {
    expect(parseListFilter('device', name, 'x')).toMatchObject({ ok: false, problems: [{ path: name, message }] });
  });
});
