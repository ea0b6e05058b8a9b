import { describe, expect, it } from 'vitest';
import type { GadgetId } from './ids.ts';
import { compileInputRules, destinationOf } from './input-rules-compiled.ts';

const rulesFor = (...codes: string[]) =>
  codes.map(code => ({ code, gadget_id: 'gad_1' as GadgetId, action_id: `do${code}` }));

describe('destinationOf', () => {
  const compiled = compileInputRules(rulesFor('', '#12', '*'));

  it('is the rule with exactly this code, or the default rule for the empty code', () => {
    expect(destinationOf(compiled, '#12')).toMatchObject({ rule: { code: '#12' } });
    expect(destinationOf(compiled, '')).toMatchObject({ rule: { code: '' } });
  });

  it('is null for a partial, extended or unknown code', () => {
    for (const code of ['#1', '#123', '5', '#']) expect(destinationOf(compiled, code)).toBeNull();
    expect(destinationOf(compileInputRules(rulesFor('1')), '')).toBeNull();
  });

  it('is the first gadget for the empty code when there are no rules', () => {
    expect(destinationOf(compileInputRules([]), '')).toEqual({ kind: 'first_gadget' });
    expect(destinationOf(compileInputRules([]), '1')).toBeNull();
  });
});
