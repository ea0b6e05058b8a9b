import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemberGroupId } from '../ids.ts';
import { findInheritanceCycle } from './inheritance-cycle.ts';
import { parsePermissionRules } from './parse-permission-rules.ts';

const problemsOf = (value: unknown): readonly string[] => {
  const parsed = parsePermissionRules(value);
  return parsed.ok ? [] : parsed.problems.map(({ path, code }) => `${path} ${code}`);
};

describe('parsePermissionRules', () => {
  it('returns the rules without null fields', () => {
    const rule = {
      gadget_id: 'gad_1',
      action_id: 'open',
      schedule_id: 'sch_1',
      presence: 'gps',
      access_methods: { pin: true, card: false },
      member_group_id: 'mg_1',
    };
    expect(parsePermissionRules([rule, {}, { site_id: 'site_1', gadget_id: null, schedule_id: null }])).toEqual({
      ok: true,
      value: [rule, {}, { site_id: 'site_1' }],
    });
  });

  it.each<[string, unknown, string[]]>([
    ['a value that is not an array', {}, ['permissions invalid_type']],
    ['a rule that is not an object', [{}, 'all'], ['permissions.1 invalid_type']],
    ['a rule that is an array', [[]], ['permissions.0 invalid_type']],
    ['an unknown field', [{ door: 'x' }], ['permissions.0.door unknown_field']],
    ['site and gadget together', [{ site_id: 'site_1', gadget_id: 'gad_1' }], ['permissions.0.gadget_id conflict']],
    ['an action without its gadget', [{ action_id: 'open' }], ['permissions.0.action_id requires_gadget']],
    [
      'an action without its gadget in an inheriting rule',
      [{ action_id: 'open', member_group_id: 'mg_1' }],
      ['permissions.0.action_id requires_gadget'],
    ],
    ['an action with a site', [{ action_id: 'open', site_id: 'site_1' }], ['permissions.0.action_id requires_gadget']],
    [
      'an action that is not a string',
      [{ action_id: 7, gadget_id: 'gad_1' }],
      ['permissions.0.action_id invalid_action'],
    ],
    ['an id of another kind', [{ gadget_id: 'site_1' }], ['permissions.0.gadget_id invalid_id']],
    ['an id that is not a string', [{ schedule_id: 7 }], ['permissions.0.schedule_id invalid_id']],
    ['an unknown presence', [{ presence: 'wifi' }], ['permissions.0.presence invalid_value']],
    ['an unknown method', [{ access_methods: { fax: true } }], ['permissions.0.access_methods.fax unknown_field']],
    ['a method that is null', [{ access_methods: { pin: null } }], ['permissions.0.access_methods.pin invalid_type']],
    ['a list of methods', [{ access_methods: ['pin'] }], ['permissions.0.access_methods invalid_type']],
    ['too many rules', Array.from({ length: 1001 }, () => ({})), ['permissions too_many']],
    [
      'several things at once',
      [{ presence: 1 }, { door: 1 }],
      ['permissions.0.presence invalid_value', 'permissions.1.door unknown_field'],
    ],
  ])('rejects %s and names the field', (_, value, expected) => {
    expect(problemsOf(value)).toEqual(expected);
  });

  it('rejects prototype keys like any unknown field', () => {
    const hostile: unknown = JSON.parse(
      '[{"__proto__": {"gadget_id": "gad_1"}, "constructor": 1, "access_methods": {"__proto__": true}}]',
    );
    expect(problemsOf(hostile)).toEqual([
      'permissions.0.__proto__ unknown_field',
      'permissions.0.constructor unknown_field',
      'permissions.0.access_methods.__proto__ unknown_field',
    ]);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withSparseArray: true }),
        value => parsePermissionRules([value]).ok !== undefined,
      ),
    );
    const manyMethods = Object.fromEntries(Array.from({ length: 150_000 }, (_, number) => [`m${number}`, 1]));
    expect(parsePermissionRules([{ access_methods: manyMethods }]).ok).toBe(false);
  });
});

describe('inheritance cycle', () => {
  const id = (name: string) => `mg_${name}` as MemberGroupId;
  const inherits = (...names: string[]) => names.map(name => ({ member_group_id: id(name) }));
  const groups = new Map([
    [id('b'), inherits('c', 'd')],
    [id('c'), inherits('e')],
    [id('d'), inherits('a')],
    [id('e'), []],
    [id('x'), inherits('y')],
    [id('y'), inherits('x')],
  ]);
  const find = (...names: string[]) => findInheritanceCycle(id('a'), inherits(...names), other => groups.get(other));

  it.each([
    ['is found from a group to itself', ['a'], ['a', 'a']],
    ['is found through other groups', ['e', 'b'], ['a', 'b', 'd', 'a']],
    ['is not found where there is none', ['c', 'missing'], null],
    ['is not found when only another group has one', ['x'], null],
  ])('%s', (_, names, expected) => {
    expect(find(...names)).toEqual(expected === null ? null : expected.map(id));
  });

  it('is detected in the new rules, not in those they replace', () => {
    expect(findInheritanceCycle(id('d'), [], other => groups.get(other))).toBeNull();
  });
});
