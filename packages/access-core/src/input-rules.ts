import * as texts from './problem-texts.ts';
import { FieldReader, readUntrustedList } from './untrusted-field-reader.ts';
import type { GadgetId } from './ids.ts';
import { findInputRuleCodeConflicts } from './input-rules-conflicts.ts';
import { MAX_GADGET_PART_ID_LENGTH } from './max-gadget-part-id-length.ts';
import { ProblemList } from './problem-list.ts';
import type { Result } from './result.ts';

export interface InputRule {
  /** The code to type before the PIN or tap; empty for the default rule. */
  readonly code: string;
  readonly gadget_id: GadgetId;
  readonly action_id: string;
}

/** Returns the actions of a gadget that a rule may name; undefined if the organization has no such gadget. */
export type GadgetActionLookup = (gadget_id: GadgetId) => readonly string[] | undefined;

/**
 * Whether people type this code without meaning it: many press `*` before a PIN and `#` after it. Such a rule opens its
 * gadget for the next person.
 */
export const isTypedByHabit = (code: string): boolean => /^[#*]+$/.test(code);

export const MAX_INPUT_RULE_CODE_LENGTH = 20;
export const MAX_INPUT_RULES = 500;

const CODE = /^[0-9#*]*$/;

const readText = (fields: FieldReader, key: string, longest = Number.POSITIVE_INFINITY): string | null => {
  const value = fields.get(key);
  if (value === undefined) fields.refuse(key, 'required', texts.isMissing);
  else if (typeof value !== 'string') fields.refuse(key, 'invalid_type', texts.mustBeString);
  else if (value.length > longest) fields.refuse(key, 'too_long', texts.mustHaveCharacters(null, longest));
  else return value;
  return null;
};

const readCode = (fields: FieldReader): string | null => {
  const code = readText(fields, 'code', MAX_INPUT_RULE_CODE_LENGTH);
  if (code === null || CODE.test(code)) return code;
  fields.refuse('code', 'invalid_code', texts.mustBe('made of the keys 0-9, # and *'));
  return null;
};

const readGadgetId = (fields: FieldReader): GadgetId | null =>
  readText(fields, 'gadget_id') === null ? null : fields.id('gadget', 'gadget_id');

const readActionId = (fields: FieldReader): string | null => {
  const id = readText(fields, 'action_id', MAX_GADGET_PART_ID_LENGTH);
  if (id !== '') return id;
  fields.refuse('action_id', 'required', texts.mustHaveCharacters(1, MAX_GADGET_PART_ID_LENGTH));
  return null;
};

const checkDestination = (fields: FieldReader, rule: InputRule, destinations: GadgetActionLookup): void => {
  const actions = destinations(rule.gadget_id);
  if (actions === undefined) {
    fields.refuse('gadget_id', 'unknown_gadget', texts.refersToNothing('gadget', rule.gadget_id));
  } else if (!actions.includes(rule.action_id)) {
    const choice = actions.length === 0 ? 'it has none' : `it has ${actions.join(', ')}`;
    fields.refuse('action_id', 'unknown_action', `is not an action of this gadget: ${choice}`);
  }
};

/** Returns a readable code even for an invalid rule, so that conflicts are reported together with other problems. */
interface ReadRule {
  readonly code: string | null;
  readonly rule: InputRule | null;
}

const parseRule = (
  input: unknown,
  path: string,
  destinations: GadgetActionLookup | null,
  problems: ProblemList,
): ReadRule => {
  const fields = new FieldReader(input, path, ['code', 'gadget_id', 'action_id'], problems);
  if (!fields.isObject) return { code: null, rule: null };
  const code = readCode(fields);
  const gadget_id = readGadgetId(fields);
  const action_id = readActionId(fields);
  if (code === null || gadget_id === null || action_id === null) return { code, rule: null };
  const rule: InputRule = { code, gadget_id, action_id };
  if (destinations !== null) checkDestination(fields, rule, destinations);
  return { code, rule };
};

/** `destinations` is null if the gadgets are unknown, for example in an offline check of a file. */
export const parseInputRules = (
  input: unknown,
  destinations: GadgetActionLookup | null = null,
  path = 'input_rules',
): Result<readonly InputRule[]> => {
  const problems = new ProblemList();
  const read = readUntrustedList(input, path, MAX_INPUT_RULES, problems, (entry, at) =>
    parseRule(entry, at, destinations, problems),
  );
  problems.addAll(
    findInputRuleCodeConflicts(
      read.map(({ code }) => code),
      path,
    ),
  );
  return problems.resultOf(read.flatMap(({ rule }) => rule ?? []));
};
