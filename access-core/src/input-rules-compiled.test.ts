import { describe, expect, it } from 'vitest';
import type { GadgetId } from './ids.ts';
import { compileInputRules, describeProgress, destinationOf } from './input-rules-compiled.ts';

const rulesFor = (...codes: string[]) =>
  codes.map(code => ({ code, gadget_id: 'gad_1' as GadgetId, action_id: `do${code}` }));

describe('the preview of a keypad', () => {
  const rules = rulesFor('', '#12', '#13', '*');
  const compiled = compileInputRules(rules);

  it('shows every rule before the first key', () => {
    expect(describeProgress(compiled, '')).toEqual({ kind: 'open', possible: rules });
  });

  it('shows the rules whose codes begin with the keys typed so far', () => {
    expect(describeProgress(compiled, '#1')).toEqual({ kind: 'open', possible: rulesFor('#12', '#13') });
  });

  it('shows the armed rule and how many digits of the PIN are typed', () => {
    const [rule] = rulesFor('#12');
    expect(describeProgress(compiled, '#12')).toEqual({
      kind: 'armed',
      destination: { kind: 'rule', rule },
      pin_length: 0,
    });
    expect(describeProgress(compiled, '#12004')).toMatchObject({ kind: 'armed', pin_length: 3 });
  });

  it('shows the default rule from the first digit on, and the first gadget when there are no rules', () => {
    expect(describeProgress(compiled, '00')).toMatchObject({ destination: { rule: { code: '' } }, pin_length: 2 });
    const none = describeProgress(compileInputRules([]), '1');
    expect(none).toEqual({ kind: 'armed', destination: { kind: 'first_gadget' }, pin_length: 1 });
  });

  it.each(['#4', '#12*', '5#', '1'.repeat(21)])('shows that %s leads nowhere', typed => {
    expect(describeProgress(compiled, typed)).toEqual({ kind: 'impossible' });
  });

  it('shows that a digit leads nowhere when no code begins with it and there is no default rule', () => {
    expect(describeProgress(compileInputRules(rulesFor('12')), '3')).toEqual({ kind: 'impossible' });
  });
});

describe('a code leads', () => {
  const compiled = compileInputRules(rulesFor('', '#12', '*'));

  it('to the rule that has exactly it, the empty one to the default', () => {
    expect(destinationOf(compiled, '#12')).toMatchObject({ rule: { code: '#12' } });
    expect(destinationOf(compiled, '')).toMatchObject({ rule: { code: '' } });
  });

  it('nowhere when it is a part of one, more than one, or none', () => {
    for (const code of ['#1', '#123', '5', '#']) expect(destinationOf(compiled, code)).toBeNull();
    expect(destinationOf(compileInputRules(rulesFor('1')), '')).toBeNull();
  });

  it('without any rules to the first gadget, when nothing is typed', () => {
    expect(destinationOf(compileInputRules([]), '')).toEqual({ kind: 'first_gadget' });
    expect(destinationOf(compileInputRules([]), '1')).toBeNull();
  });
});
