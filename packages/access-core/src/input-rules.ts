import { FieldReader, readList } from './field-reader.ts';
import type { GadgetId } from './ids.ts';
import { findCodeConflicts } from './input-rules-conflicts.ts';
import { LONGEST_PART_ID } from './part-id.ts';
import { ProblemList } from './problem-list.ts';
import type { Result } from './result.ts';

export interface InputRule {
  /** What is typed before the PIN or the tap; empty for the default rule. */
  readonly code: string;
  readonly gadget_id: GadgetId;
  readonly action_id: string;
}

/** The actions of a gadget that a rule may name, undefined for a gadget that the organization does not have. */
export type Destinations = (gadget_id: GadgetId) => readonly string[] | undefined;

export const MAX_CODE_LENGTH = 20;
const MAX_RULES = 500;

const CODE = /^[0-9#*]*$/;

const readText = (fields: FieldReader, key: string, longest = Number.POSITIVE_INFINITY): string | null => {
  const value = fields.get(key);
  if (value === undefined) fields.refuse(key, 'required', 'is missing');
  else if (typeof value !== 'string') fields.refuse(key, 'invalid_type', 'must be text');
  else if (value.length > longest) fields.refuse(key, 'too_long', `must not be longer than ${longest} characters`);
  else return value;
  return null;
};

const readCode = (fields: FieldReader): string | null => {
  const code = readText(fields, 'code', MAX_CODE_LENGTH);
  if (code === null || CODE.test(code)) return code;
  fields.refuse('code', 'invalid_code', 'must be made of the keys 0-9, # and *');
  return null;
};

const readGadgetId = (fields: FieldReader): GadgetId | null =>
  readText(fields, 'gadget_id') === null ? null : fields.id('gadget', 'gadget_id');

const readActionId = (fields: FieldReader): string | null => {
  const id = readText(fields, 'action_id', LONGEST_PART_ID);
  if (id !== '') return id;
  fields.refuse('action_id', 'required', 'must not be empty');
  return null;
};

const checkDestination = (fields: FieldReader, rule: InputRule, destinations: Destinations): void => {
  const actions = destinations(rule.gadget_id);
  if (actions === undefined) {
    fields.refuse('gadget_id', 'unknown_gadget', 'there is no such gadget');
  } else if (!actions.includes(rule.action_id)) {
    const choice = actions.length === 0 ? 'it has none' : `it has ${actions.join(', ')}`;
    fields.refuse('action_id', 'unknown_action', `is not an action of this gadget: ${choice}`);
  }
};

/** A code that can be read comes back beside the rule, so that conflicts are named together with the other problems. */
interface ReadRule {
  readonly code: string | null;
  readonly rule: InputRule | null;
}

const parseRule = (
  input: unknown,
  path: string,
  destinations: Destinations | null,
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

/** `destinations` is null where the gadgets are not at hand, as when a file is checked offline. */
export const parseInputRules = (
  input: unknown,
  destinations: Destinations | null = null,
  path = 'input_rules',
): Result<readonly InputRule[]> => {
  const problems = new ProblemList();
  const read = readList(input, path, MAX_RULES, problems, (entry, at) => parseRule(entry, at, destinations, problems));
  problems.addAll(
    findCodeConflicts(
      read.map(({ code }) => code),
      path,
    ),
  );
  return problems.resultOf(read.flatMap(({ rule }) => rule ?? []));
};
