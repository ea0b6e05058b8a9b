import { describe, expect, it } from 'vitest';
import type { GadgetId } from './ids.ts';
import { compileInputRules, describeProgress, destinationOf } from './input-rules-compiled.ts';

const rulesFor = (...codes: string[]) =>
  codes.map(code => ({ code, gadget_id: 'gad_1' as GadgetId, action_id: `do${code}` }));

describe('describeProgress', () => {
  const rules = rulesFor('', '#12', '#13', '*');
  const compiled = compileInputRules(rules);

  it('shows every rule before the first key', () => {
    expect(describeProgress(compiled, '')).toEqual({ kind: 'open', possible: rules });
  });

  it('shows the rules whose codes begin with the keys entered so far', () => {
    expect(describeProgress(compiled, '#1')).toEqual({ kind: 'open', possible: rulesFor('#12', '#13') });
  });

  it('shows the selected rule and the number of PIN digits entered', () => {
    const [rule] = rulesFor('#12');
    expect(describeProgress(compiled, '#12')).toEqual({
      kind: 'armed',
      destination: { kind: 'rule', rule },
      pin_length: 0,
    });
    expect(describeProgress(compiled, '#12004')).toMatchObject({ kind: 'armed', pin_length: 3 });
  });

  it('shows the default rule from the first digit on, or the first gadget if there are no rules', () => {
    expect(describeProgress(compiled, '00')).toMatchObject({ destination: { rule: { code: '' } }, pin_length: 2 });
    const none = describeProgress(compileInputRules([]), '1');
    expect(none).toEqual({ kind: 'armed', destination: { kind: 'first_gadget' }, pin_length: 1 });
  });

  it.each(['#4', '#12*', '5#', '1'.repeat(21)])('shows no match for %s', typed => {
    expect(describeProgress(compiled, typed)).toEqual({ kind: 'impossible' });
  });

  it('shows no match for a digit that begins no code when there is no default rule', () => {
    expect(describeProgress(compileInputRules(rulesFor('12')), '3')).toEqual({ kind: 'impossible' });
  });
});

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
