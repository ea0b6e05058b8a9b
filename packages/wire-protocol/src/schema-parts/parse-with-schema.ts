import { MAX_REPORTED_PROBLEMS } from '@lintel/access-core/problem-list';
import * as texts from '@lintel/access-core/problem-texts';
import { failed, ok, type Problem, createProblem, type Result } from '@lintel/access-core/result';
import type * as z from 'zod';
import { findClosestName } from './closest-name.ts';
import { findDocumentedSchemas } from './documented-schema.ts';

type Path = readonly PropertyKey[];

const dotted = (path: Path): string => path.map(String).join('.');

const codeOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'custom') return typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'invalid';
  return issue.code;
};

const valueAt = (value: unknown, path: Path): unknown => {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  return found;
};

/** The first limit that an alternative of the schema has; null if none has one. */
const limitAt = (
  schema: z.ZodType,
  path: Path,
  name: 'minimum' | 'exclusiveMinimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems',
): number | null => {
  const limits = findDocumentedSchemas(schema, path).map(one => one[name]);
  const found = limits.find(limit => limit !== undefined);
  return found === undefined || Math.abs(found) >= Number.MAX_SAFE_INTEGER ? null : found;
};

const describeNumber = (schema: z.ZodType, path: Path): string => {
  const isWhole = findDocumentedSchemas(schema, path).some(({ type }) => [type].flat().includes('integer'));
  const what = isWhole ? 'whole number' : 'number';
  const above = limitAt(schema, path, 'exclusiveMinimum');
  const most = limitAt(schema, path, 'maximum');
  return above === null
    ? texts.mustBeNumberBetween(what, limitAt(schema, path, 'minimum'), most)
    : texts.mustBeNumberAbove(what, above, most);
};

const describeSize = (schema: z.ZodType, path: Path, origin: string): string => {
  if (origin === 'string')
    return texts.mustHaveCharacters(limitAt(schema, path, 'minLength'), limitAt(schema, path, 'maxLength'));
  if (origin === 'array')
    return texts.mustHaveEntries(limitAt(schema, path, 'minItems'), limitAt(schema, path, 'maxItems'));
  return describeNumber(schema, path);
};

const typeTexts: Readonly<Record<string, string>> = {
  string: texts.mustBeString,
  boolean: texts.mustBeBoolean,
  object: texts.mustBeObject,
  record: texts.mustBeObject,
  map: texts.mustBeObject,
  array: texts.mustBeArray,
};

const formatTexts: Readonly<Record<string, string>> = {
  email: texts.mustBe('an email address'),
  url: texts.mustBe('a URL'),
};

const describeIssue = (issue: z.core.$ZodIssue, schema: z.ZodType): string => {
  // Texts of the library begin with a capital letter, those of a schema do not.
  const isOwnText = /^[a-z'"]/.test(issue.message) || (issue.code === 'custom' && issue.message !== 'Invalid input');
  if (isOwnText) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return typeTexts[issue.expected] ?? describeNumber(schema, issue.path);
    case 'too_big':
    case 'too_small':
      return describeSize(schema, issue.path, issue.origin);
    case 'invalid_value':
      return texts.mustBeOneOf(issue.values);
    case 'invalid_format':
      return formatTexts[issue.format] ?? 'does not have the required form';
    default:
      return 'is not valid';
  }
};

/** A check of several fields says itself which one is missing. */
const isOfOneValue = (issue: z.core.$ZodIssue): boolean =>
  issue.code !== 'custom' || (issue.params?.['code'] !== undefined && issue.message.startsWith('must '));

const withNearestName = (schema: z.ZodType, path: Path, code: string, message: string): string => {
  if (code !== 'unknown_field') return message;
  const siblings = findDocumentedSchemas(schema, path.slice(0, -1)).flatMap(one => Object.keys(one.properties ?? {}));
  return texts.isUnknownField(findClosestName(siblings, String(path.at(-1))));
};

const problemsOf = (issue: z.core.$ZodIssue, schema: z.ZodType, input: unknown): Problem[] => {
  const problem = (path: Path, code: string, message: string): Problem =>
    createProblem(dotted(path), code, withNearestName(schema, path, code, message));
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, MAX_REPORTED_PROBLEMS)
      .map(key => problem([...issue.path, key], 'unknown_field', texts.isUnknownField()));
  const isMissing = issue.path.length > 0 && isOfOneValue(issue) && valueAt(input, issue.path) === undefined;
  return [problem(issue.path, codeOf(issue), isMissing ? texts.isMissing : describeIssue(issue, schema))];
};

/** The library also measures the length of a value of the wrong type. */
const withoutSizesOfWrongTypes = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] => {
  const wrongTypes = new Set(issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => dotted(path)));
  return issues.filter(
    ({ code, path }) => (code !== 'too_big' && code !== 'too_small') || !wrongTypes.has(dotted(path)),
  );
};

/** Validates with a schema and returns the common result type. */
export const parseWithSchema = <S extends z.ZodType>(schema: S, value: unknown): Result<z.output<S>> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  return failed(
    withoutSizesOfWrongTypes(parsed.error.issues)
      .slice(0, MAX_REPORTED_PROBLEMS)
      .flatMap(issue => problemsOf(issue, schema, value))
      .slice(0, MAX_REPORTED_PROBLEMS),
  );
};
