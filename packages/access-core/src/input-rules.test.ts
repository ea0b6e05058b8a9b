import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTypedByHabit, parseInputRules, type GadgetActionLookup } from './input-rules.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';
import type { GadgetId } from './ids.ts';
import { compileInputRules, findCredentialDestination } from './input-rules-compiled.ts';

const rule = (code: unknown, more: object = {}): object => ({
  code,
  gadget_id: 'gad_door',
  action_id: 'open',
  ...more,
});
const rules = (...codes: unknown[]): object[] => codes.map(code => rule(code));

const problemsOf = (input: unknown, destinations: GadgetActionLookup | null = null, path?: string) => {
  const result = parseInputRules(input, destinations, path);
  return result.ok ? [] : result.problems;
};
const brief = (input: unknown, destinations: GadgetActionLookup | null = null): string[] =>
  problemsOf(input, destinations).map(({ path, code }) => `${path} ${code}`);

describe('parseInputRules', () => {
  it('returns the rules in their order', () => {
    const input = rules('#12', '', '*');
    expect(parseInputRules(input)).toEqual({ ok: true, value: input });
  });

  it('accepts an empty list', () => {
    expect(parseInputRules([])).toEqual({ ok: true, value: [] });
  });

  it.each([['12a'], [' '], ['１'], ['+'], ['1\n'], ['A']])(
    'rejects the code %j, which cannot be typed on a keypad',
    code => {
      expect(brief(rules(code))).toEqual(['input_rules.0.code invalid_code']);
    },
  );

  it('names both codes and both positions when two codes are equal', () => {
    const [found, ...others] = problemsOf(rules('7', '12', '12'));
    expect(others).toEqual([]);
    expect(found).toEqual({
      path: 'input_rules.2.code',
      code: 'code_conflict',
      message: 'must not be "12": it is the same as the code "12" of input_rules.1.code',
    });
  });

  it('reports the later rule of a conflict, whichever code is shorter', () => {
    expect(problemsOf(rules('12', '123')).map(({ path, message }) => [path, message])).toEqual([
      ['input_rules.1.code', 'must not be "123": it begins with the code "12" of input_rules.0.code'],
    ]);
    expect(problemsOf(rules('123', '12')).map(({ path, message }) => [path, message])).toEqual([
      ['input_rules.1.code', 'must not be "12": it is the beginning of the code "123" of input_rules.0.code'],
    ]);
  });

  it('names the earliest of several rules that a code conflicts with', () => {
    expect(problemsOf(rules('12', '13', '1'))[0]?.message).toContain('"12" of input_rules.0.code');
    expect(problemsOf(rules('12', '1', '12'))[1]?.message).toContain('"12" of input_rules.0.code');
  });

  it('does not treat the empty code as a prefix of every other code', () => {
    expect(brief(rules('', '*1', '#1'))).toEqual([]);
  });

  it('accepts at most one default rule', () => {
    const found = problemsOf(rules('', '#', ''));
    expect(found.map(({ path, code }) => `${path} ${code}`)).toEqual(['input_rules.2.code second_default']);
    expect(found[0]?.message).toContain('input_rules.0.code');
  });

  it('requires codes to start with * or # if there is a default rule, whatever its position', () => {
    expect(brief(rules('12', '', '3*', '*3'))).toEqual([
      'input_rules.0.code digit_beside_default',
      'input_rules.2.code digit_beside_default',
    ]);
  });

  it('accepts codes that start with digits when there is no default rule', () => {
    expect(brief(rules('12', '13', '2', '#'))).toEqual([]);
  });

  it('names every missing, mistyped and unknown field', () => {
    expect(brief([{ code: 1, gadget_id: 'dev_1', extra: 0 }])).toEqual([
      'input_rules.0.extra unknown_field',
      'input_rules.0.code invalid_type',
      'input_rules.0.gadget_id invalid_id',
      'input_rules.0.action_id required',
    ]);
    expect(brief([rule('1', { action_id: '' }), null, [], 'x'])).toEqual([
      'input_rules.0.action_id required',
      'input_rules.1 invalid_type',
      'input_rules.2 invalid_type',
      'input_rules.3 invalid_type',
    ]);
  });

  it('treats prototype keys as unknown fields and ignores inherited properties', () => {
    const hostile: unknown = JSON.parse('[{"__proto__": {"code": "1"}, "gadget_id": "gad_1", "action_id": "open"}]');
    expect(brief(hostile)).toEqual(['input_rules.0.__proto__ unknown_field', 'input_rules.0.code required']);
    expect(brief([Object.create(rule('1'))])).toHaveLength(3);
  });

  it('finds conflicts between codes of rules that have other problems', () => {
    expect(brief([rule('1', { gadget_id: 5 }), rule('12')])).toEqual([
      'input_rules.0.gadget_id invalid_type',
      'input_rules.1.code code_conflict',
    ]);
  });

  it('accepts at most 500 rules with codes of at most 20 keys', () => {
    const many = Array.from({ length: 500 }, (_, index) => rule(String(index).padStart(3, '0')));
    expect(brief(many)).toEqual([]);
    expect(brief([...many, rule('9999')])).toEqual(['input_rules too_many']);
    expect(brief(Object.assign([], { length: 4_000_000_000 }))).toEqual(['input_rules too_many']);
    expect(brief(rules('1'.repeat(20)))).toEqual([]);
    expect(brief(rules('1'.repeat(21)))).toEqual(['input_rules.0.code too_long']);
  });

  it('returns a bounded list of problems for 500 equal codes', () => {
    expect(problemsOf(Array.from({ length: 500 }, () => rule('1')))).toHaveLength(100);
  });

  it('requires an action of an existing gadget when the gadgets are known', () => {
    const gadgets: GadgetActionLookup = id => ({ gad_door: ['open', 'lock'], gad_bell: [] })[id as string];
    const input = [rule('1'), rule('2', { gadget_id: 'gad_gone' }), rule('3', { action_id: 'raise' })];
    expect(brief(input, gadgets)).toEqual([
      'input_rules.1.gadget_id unknown_gadget',
      'input_rules.2.action_id unknown_action',
    ]);
    expect(problemsOf([rule('1', { action_id: 'raise' })], gadgets)[0]?.message).toContain('open, lock');
    expect(problemsOf([rule('1', { gadget_id: 'gad_bell' })], gadgets)[0]?.message).toContain('it has none');
    expect(brief(input)).toEqual([]);
  });

  it('uses the path given by the caller', () => {
    expect(problemsOf(rules('1', '1'), null, 'devices.3.input_rules')[0]?.path).toBe('devices.3.input_rules.1.code');
  });

  it('never throws', () => {
    const almost = fc.array(
      fc.record(
        { code: fc.oneof(fc.anything(), fc.string()), gadget_id: fc.anything(), action_id: fc.anything() },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything({ withNullPrototype: true, withSparseArray: true }), almost), input => {
        const isEmptyList = Array.isArray(input) && input.length === 0;
        expect(parseInputRules(input).ok).toBe(isEmptyList);
      }),
      { numRuns: iterations({ sample: 200, all: 2_000 }) },
    );
  });

  it('accepts exactly the lists in which no pair of codes conflicts', () => {
    const codes = fc.array(fc.string({ unit: fc.constantFrom('1', '2', '#', '*'), maxLength: 3 }), { maxLength: 5 });
    fc.assert(
      fc.property(codes, list => {
        const pairs = list.flatMap((a, i) => list.flatMap((b, j) => (i === j ? [] : [[a, b] as const])));
        const isBroken = pairs.some(([a, b]) => a === b || (a === '' ? /^[0-9]/.test(b) : b.startsWith(a)));
        expect(parseInputRules(rules(...list)).ok).toBe(!isBroken);
      }),
      { numRuns: iterations({ sample: 300, all: 3_000 }) },
    );
  });
});

describe('isTypedByHabit', () => {
  it('is true for codes of * and # only', () => {
    expect(['#', '*', '##', '*#'].filter(isTypedByHabit)).toHaveLength(4);
    expect(['', '1', '*1', '#0', '1#'].filter(isTypedByHabit)).toEqual([]);
  });
});

const rulesFor = (...codes: string[]) =>
  codes.map(code => ({ code, gadget_id: 'gad_1' as GadgetId, action_id: `do${code}` }));

describe('findCredentialDestination', () => {
  const compiled = compileInputRules(rulesFor('', '#12', '*'));

  it('is the rule with exactly this code, or the default rule for the empty code', () => {
    expect(findCredentialDestination(compiled, '#12')).toMatchObject({ rule: { code: '#12' } });
    expect(findCredentialDestination(compiled, '')).toMatchObject({ rule: { code: '' } });
  });

  it('is null for a partial, extended or unknown code', () => {
    for (const code of ['#1', '#123', '5', '#']) expect(findCredentialDestination(compiled, code)).toBeNull();
    expect(findCredentialDestination(compileInputRules(rulesFor('1')), '')).toBeNull();
  });

  it('is the first gadget for the empty code when there are no rules', () => {
    expect(findCredentialDestination(compileInputRules([]), '')).toEqual({ kind: 'first_gadget' });
    expect(findCredentialDestination(compileInputRules([]), '1')).toBeNull();
  });
});
