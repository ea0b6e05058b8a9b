import type { InputRule } from '@lintel/access-core/input-rules';
import type { LiveHappening } from '@lintel/wire-protocol/technician/live';

type Phase = Extract<LiveHappening, { type: 'entry' }>;

interface EntryParts {
  readonly told: Pick<Phase, 'phase' | 'rule'>;
  readonly rules: readonly InputRule[];
  readonly nameOf: (gadgetId: string) => string;
  /** The keys of this entry so far. */
  readonly typed: string;
  readonly lockedForMs: number;
}

const HIDDEN = '•';

const deed = (
  { action_id, gadget_id }: Pick<InputRule, 'action_id' | 'gadget_id'>,
  nameOf: EntryParts['nameOf'],
): string => `${action_id} ${nameOf(gadget_id)}`;

const codesFrom = (rules: readonly InputRule[], typed: string, nameOf: EntryParts['nameOf']): string =>
  rules
    .filter(({ code }) => code !== '' && code.startsWith(typed))
    .map(rule => `${rule.code.slice(typed.length)} (${deed(rule, nameOf)})`)
    .join(', ');

const expectedOf = ({ told, rules, nameOf, typed, lockedForMs }: EntryParts): string => {
  if (lockedForMs > 0) return `nothing: the keypad is locked for ${Math.ceil(lockedForMs / 1000)} s, cards still work`;
  if (told.phase === 'armed') return 'the digits of a PIN (# ends it, * clears), or a card';
  if (told.phase === 'code') return `the rest of a code: ${codesFrom(rules, typed, nameOf)}`;
  const codes = codesFrom(rules, '', nameOf);
  const isDefault = rules.length === 0 || rules.some(({ code }) => code === '');
  const start = isDefault ? 'a PIN or a card' : '';
  return [start, codes === '' ? '' : `a code: ${codes}`].filter(part => part !== '').join(', or ');
};

/** The code is no secret, the digits after it are. */
const maskedEntry = ({ told, rules, typed }: EntryParts): string => {
  if (told.phase !== 'armed') return typed;
  const code = rules.find(rule => rule.code !== '' && typed.startsWith(rule.code))?.code ?? '';
  return code + HIDDEN.repeat(typed.length - code.length);
};

export const entryView = (parts: EntryParts, firstDeed: string) => ({
  phase: parts.told.phase,
  /** What a PIN or a card would do now. */
  armed:
    parts.told.phase !== 'armed' ? null : parts.told.rule === null ? firstDeed : deed(parts.told.rule, parts.nameOf),
  typed: maskedEntry(parts),
  expected: expectedOf(parts),
});
