import { isMissing, mustBeObject, mustBeString } from '@lintel/access-core/problem-texts';
import { readUntrustedList } from '@lintel/access-core/untrusted-field-reader';
import { ProblemList } from '@lintel/access-core/problem-list';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { eventObjectTypes, eventVerbs } from './event-verbs-and-object-types.ts';
import { getFilterSchema } from './resource-filters.ts';
import { resourceDefinitions } from './resource-definitions.ts';
import { type ListFilter, describeListFilters, parseListFilter } from './list-filter.ts';

/** `object_type` or `object.type`, `verb` (null: every verb), and any filter of the event list. */
export type WebhookFilterRule = Readonly<Record<string, string | null>>;

const MOST_RULES = 100;

/** The filters of the event list by full name, such as `created_at:gt`. */
const conditions = describeListFilters('event', 'events').map(([name, text]) => {
  const spec = resourceDefinitions.event.filters[name.split(':')[0]!]!;
  return [
    name,
    z
      .string()
      .meta({ ...getFilterSchema(spec), description: text })
      .optional(),
  ] as const;
});

const ruleFields = {
  ...Object.fromEntries(conditions),
  object_type: z
    .enum(eventObjectTypes)
    .optional()
    .describe(
      'Only events with an object of this type. Alone, it matches every verb. Required unless the rule has another filter besides verb',
    ),
  verb: z.enum(eventVerbs).nullish().describe('Only events with this verb. Null or absent: every verb'),
};

const RULE = 'An event matches if all fields of the rule match. A rule can have any filter of the list of events';

const ruleShape = z.strictObject(ruleFields).meta({ title: 'webhook_filter_rule_input', description: RULE });

/** A rule in responses, with its fields in the order in which they were given. */
export const webhookFilterRuleSchema = z.record(z.string(), z.string().nullable()).meta({
  title: 'webhook_filter_rule',
  description: RULE,
  properties: z.toJSONSchema(ruleShape, { io: 'input' }).properties,
});

const filterNameOf = (key: string): string => (key === 'object_type' ? 'object.type' : key);

const parseEntry = (key: string, value: unknown, path: string): Result<readonly ListFilter[]> => {
  if (key === 'verb' && value === null) return ok([]);
  if (typeof value !== 'string') return failed([createProblem(path, 'invalid_type', mustBeString)]);
  const filter = parseListFilter('event', filterNameOf(key), value);
  return filter.ok ? ok([filter.value]) : failed(filter.problems.map(found => ({ ...found, path })));
};

/**
 * A rule needs a condition besides the verb. Any will do: `created_at:gt` alone is accepted and matches nearly
 * everything.
 */
const checkTogether = (rule: Readonly<Record<string, unknown>>, path: string, problems: ProblemList): void => {
  const type = rule['object_type'];
  if (type !== undefined && rule['object.type'] !== undefined && type !== rule['object.type'])
    problems.add(`${path}.object_type`, 'conflict', "must not differ from 'object.type'");
  else if (Object.keys(rule).every(key => key === 'verb')) problems.add(`${path}.object_type`, 'required', isMissing);
};

const parseRule = (rule: unknown, path: string, problems: ProblemList): void => {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) {
    problems.add(path, 'invalid_type', mustBeObject);
    return;
  }
  for (const key of Object.keys(rule)) {
    if (problems.isFull) return;
    const parsed = parseEntry(key, (rule as Record<string, unknown>)[key], `${path}.${key}`);
    if (!parsed.ok) problems.addAll(parsed.problems);
  }
  checkTogether(rule as Record<string, unknown>, path, problems);
};

const parseRules = (value: unknown, path: string): Result<readonly WebhookFilterRule[]> => {
  const problems = new ProblemList();
  readUntrustedList(value, path, MOST_RULES, problems, (rule, at) => parseRule(rule, at, problems));
  return problems.resultOf(value as WebhookFilterRule[]);
};

export const webhookFilterSchema = schemaFromParser(z.array(ruleShape).max(MOST_RULES), parseRules);

/** The filters of a rule; all of them must match. Null for a rule with an unknown form, which matches nothing. */
export const parseWebhookFilterRule = (rule: WebhookFilterRule): readonly ListFilter[] | null => {
  const parsed = Object.entries(rule).map(([key, value]) => parseEntry(key, value, key));
  return parsed.every(entry => entry.ok) ? parsed.flatMap(entry => entry.value) : null;
};
