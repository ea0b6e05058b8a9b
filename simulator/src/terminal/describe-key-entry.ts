import type { InputRule } from '@lintel/access-core/input-rules';
import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';

type Phase = Extract<TechnicianLiveMessage, { type: 'entry' }>;

interface EntryContext {
  readonly entry: Pick<Phase, 'phase' | 'rule'>;
  readonly rules: readonly InputRule[];
  readonly nameOf: (gadgetId: string) => string;
  /** Keys typed so far. */
  readonly typed: string;
  readonly lockedForMs: number;
}

const HIDDEN = '•';

const describeAction = (
  { action_id, gadget_id }: Pick<InputRule, 'action_id' | 'gadget_id'>,
  nameOf: EntryContext['nameOf'],
): string => `${action_id} ${nameOf(gadget_id)}`;

const describeCodes = (rules: readonly InputRule[], typed: string, nameOf: EntryContext['nameOf']): string =>
  rules
    .filter(({ code }) => code !== '' && code.startsWith(typed))
    .map(rule => `${rule.code.slice(typed.length)} (${describeAction(rule, nameOf)})`)
    .join(', ');

const describeExpected = ({ entry, rules, nameOf, typed, lockedForMs }: EntryContext): string => {
  if (lockedForMs > 0) return `a card: PIN entry is locked for ${Math.ceil(lockedForMs / 1000)} s`;
  if (entry.phase === 'armed') return 'a PIN (# to submit, * to clear) or a card';
  if (entry.phase === 'code') return `the rest of a code: ${describeCodes(rules, typed, nameOf)}`;
  const codes = describeCodes(rules, '', nameOf);
  const isDefault = rules.length === 0 || rules.some(({ code }) => code === '');
  const start = isDefault ? 'a PIN or a card' : '';
  return [start, codes === '' ? '' : `a code: ${codes}`].filter(part => part !== '').join(', or ');
};

/** Masks the PIN. The code before it is not secret. */
const maskedEntry = ({ entry, rules, typed }: EntryContext): string => {
  if (entry.phase !== 'armed') return typed;
  const code = rules.find(rule => rule.code !== '' && typed.startsWith(rule.code))?.code ?? '';
  return code + HIDDEN.repeat(typed.length - code.length);
};

export const describeKeyEntry = (context: EntryContext, defaultAction: string) => ({
  phase: context.entry.phase,
  /** The action that a PIN or card would trigger now. */
  armed:
    context.entry.phase !== 'armed'
      ? null
      : context.entry.rule === null
        ? defaultAction
        : describeAction(context.entry.rule, context.nameOf),
  typed: maskedEntry(context),
  expected: describeExpected(context),
});
