import { describe, expect, it } from 'vitest';
import type { GadgetId } from './ids.ts';
import { compileInputRules, findDestination } from './input-rules-compiled.ts';

const rulesFor = (...codes: string[]) =>
  codes.map(code => ({ code, gadget_id: 'gad_1' as GadgetId, action_id: `do${code}` }));

describe('findDestination', () => {
  const compiled = compileInputRules(rulesFor('', '#12', '*'));

  it('is the rule with exactly this code, or the default rule for the empty code', () => {
    expect(findDestination(compiled, '#12')).toMatchObject({ rule: { code: '#12' } });
    expect(findDestination(compiled, '')).toMatchObject({ rule: { code: '' } });
  });

  it('is null for a partial, extended or unknown code', () => {
    for (const code of ['#1', '#123', '5', '#']) expect(findDestination(compiled, code)).toBeNull();
    expect(findDestination(compileInputRules(rulesFor('1')), '')).toBeNull();
  });

  it('is the first gadget for the empty code when there are no rules', () => {
    expect(findDestination(compileInputRules([]), '')).toEqual({ kind: 'first_gadget' });
    expect(findDestination(compileInputRules([]), '1')).toBeNull();
  });
});
