import * as texts from '../problem-texts.ts';
import { accessMethods, type PermissionRule } from '../access-data-types.ts';
import { FieldReader, readUntrustedList } from '../untrusted-field-reader.ts';
import { MAX_GADGET_PART_ID_LENGTH } from '../max-gadget-part-id-length.ts';
import { ProblemList } from '../problem-list.ts';
import type { Result } from '../result.ts';

const MOST_RULES = 1000;

const readActionId = (fields: FieldReader, key: string): string => {
  const value = fields.get(key);
  if (typeof value === 'string' && value.length > 0 && value.length <= MAX_GADGET_PART_ID_LENGTH) return value;
  fields.refuse(key, 'invalid_action', texts.mustHaveCharacters(1, MAX_GADGET_PART_ID_LENGTH));
  return '';
};

const readPresence = (fields: FieldReader, key: string): unknown => {
  const value = fields.get(key);
  if (value !== 'none' && value !== 'gps') fields.refuse(key, 'invalid_value', texts.mustBeOneOf(['none', 'gps']));
  return value;
};

const readAccessMethods = (fields: FieldReader, key: string): object => {
  const methods = new FieldReader(fields.get(key), `${fields.path}.${key}`, accessMethods, fields.problems);
  const named = accessMethods.filter(method => methods.get(method) !== undefined);
  return Object.fromEntries(named.map(method => [method, methods.boolean(method, false)]));
};

const readers = {
  site_id: (fields, key) => fields.id('site', key),
  gadget_id: (fields, key) => fields.id('gadget', key),
  action_id: readActionId,
  schedule_id: (fields, key) => fields.id('schedule', key),
  presence: readPresence,
  access_methods: readAccessMethods,
  member_group_id: (fields, key) => fields.id('member_group', key),
} satisfies Readonly<Record<keyof PermissionRule, (fields: FieldReader, key: string) => unknown>>;

const FIELDS = Object.keys(readers);

const parseRule = (value: unknown, path: string, problems: ProblemList): PermissionRule => {
  const fields = new FieldReader(value, path, FIELDS, problems);
  const read = Object.entries(readers).filter(([key]) => fields.isSet(key));
  const rule = Object.fromEntries(read.map(([key, reader]) => [key, reader(fields, key)])) as PermissionRule;
  if (fields.isSet('site_id') && fields.isSet('gadget_id'))
    fields.refuse('gadget_id', 'conflict', texts.mustBeSetAlone('site_id'));
  if (fields.isSet('action_id') && !fields.isSet('gadget_id'))
    fields.refuse('action_id', 'requires_gadget', texts.needsField('gadget_id'));
  return rule;
};

/** Parses the rules of a member group. Null fields are treated as unset. */
export const parsePermissionRules = (value: unknown, path = 'permissions'): Result<readonly PermissionRule[]> => {
  const problems = new ProblemList();
  const rules = readUntrustedList(value, path, MOST_RULES, problems, (rule, at) => parseRule(rule, at, problems));
  return problems.resultOf(rules);
};
