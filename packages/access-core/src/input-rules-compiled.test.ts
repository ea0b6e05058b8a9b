import { describe, expect, it } from 'vitest';
import type { GadgetId } from './ids.ts';
import { compileInputRules, findCredentialDestination } from './input-rules-compiled.ts';

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
