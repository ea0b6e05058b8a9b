import type { InputRule } from './input-rules.ts';

/**
 * The destination of a PIN or card: a rule's gadget or, without any rules, the first action of the device's first
 * gadget.
 */
export type CredentialDestination =
  | { readonly kind: 'rule'; readonly rule: InputRule }
  | { readonly kind: 'first_gadget' };

/** What the keys typed since idle are: the beginning of a code, or a complete code. */
type CodeStep =
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'complete'; readonly destination: CredentialDestination };

export interface CompiledInputRules {
  readonly rules: readonly InputRule[];
  /** The destination of a PIN or card without a code; null if there are rules but no default rule. */
  readonly fallback: CredentialDestination | null;
  readonly steps: ReadonlyMap<string, CodeStep>;
}

const toRule = (rule: InputRule): CredentialDestination => ({ kind: 'rule', rule });

/** Requires rules that `parseInputRules` accepts. Each key press is then one lookup. */
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

/** The destination of a PIN or card after exactly this code; null if there is none. */
export const findCredentialDestination = (
  { fallback, steps }: CompiledInputRules,
  code: string,
): CredentialDestination | null => {
  if (code === '') return fallback;
  const step = steps.get(code);
  return step?.kind === 'complete' ? step.destination : null;
};
