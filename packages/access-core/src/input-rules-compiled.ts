import type { InputRule } from './input-rules.ts';

/** Where a PIN or a card goes: a rule's gadget, or, without any rules, the first action of the device's first gadget. */
export type Destination = { readonly kind: 'rule'; readonly rule: InputRule } | { readonly kind: 'first_gadget' };

/** What keys typed since idle have come to, as long as they are the beginning of a code or a code. */
type CodeStep = { readonly kind: 'unfinished' } | { readonly kind: 'complete'; readonly destination: Destination };

export interface CompiledInputRules {
  readonly rules: readonly InputRule[];
  /** Where a PIN or card without a code goes; null when there are rules, but no default one. */
  readonly fallback: Destination | null;
  readonly steps: ReadonlyMap<string, CodeStep>;
}

const toRule = (rule: InputRule): Destination => ({ kind: 'rule', rule });

/** Takes rules that `parseInputRules` accepts. Every key press is then one lookup. */
export const compileInputRules = (rules: readonly InputRule[]): CompiledInputRules => {
  const steps = new Map<string, CodeStep>();
  for (const rule of rules.filter(({ code }) => code !== '')) {
    for (let length = 1; length < rule.code.length; length += 1) {
      steps.set(rule.code.slice(0, length), { kind: 'unfinished' });
    }
    steps.set(rule.code, { kind: 'complete', destination: toRule(rule) });
  }
  const defaultRule = rules.find(({ code }) => code === '');
  if (rules.length === 0) return { rules, fallback: { kind: 'first_gadget' }, steps };
  return { rules, fallback: defaultRule === undefined ? null : toRule(defaultRule), steps };
};

/** Where a PIN or a card goes after exactly this code; null when it goes nowhere. */
export const destinationOf = ({ fallback, steps }: CompiledInputRules, code: string): Destination | null => {
  if (code === '') return fallback;
  const step = steps.get(code);
  return step?.kind === 'complete' ? step.destination : null;
};
