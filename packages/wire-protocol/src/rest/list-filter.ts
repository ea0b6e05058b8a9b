import { type IdKind, parseId } from '@lintel/access-core/ids';
import { type Instant, parseInstant } from '@lintel/access-core/instant';
import { isUnknownFilter, mustBeOneOf } from '@lintel/access-core/problem-texts';
import { failed, ok, type Problem, createProblem, type Result } from '@lintel/access-core/result';
import { findClosestName } from '../schema-parts/closest-name.ts';
import type { ResourceType } from './resource-types-and-field-types.ts';
import { INVALID_UID, toCardUid } from './card-uid.ts';
import { describeFilter, type FilterSpec, rangeOperators, type RangeOperator } from './resource-filters.ts';
import { resourceDefinitions } from './resource-definitions.ts';

export type ListFilter =
  | { readonly kind: 'equals'; readonly field: string; readonly value: string }
  /** One of several values. */
  | { readonly kind: 'in'; readonly field: string; readonly values: readonly string[] }
  | { readonly kind: 'rule'; readonly value: string }
  | RangeFilter
  | { readonly kind: 'deletion'; readonly value: boolean | 'any' }
  | { readonly kind: 'metadata'; readonly key: string; readonly value: string }
  | { readonly kind: 'tag'; readonly value: string }
  | { readonly kind: 'search'; readonly value: string }
  | { readonly kind: 'group'; readonly value: string }
  | { readonly kind: 'validity'; readonly at: Instant };

interface RangeFilter {
  readonly kind: 'range';
  readonly field: string;
  readonly operator: RangeOperator;
  readonly value: Instant;
  /** 0 to 999: the microseconds of `recorded_at`. */
  readonly microsecond: number;
}

interface FilterName {
  readonly field: string;
  readonly operator: RangeOperator | null;
  readonly metadataKey: string | null;
}

const RANGE = /^([^:]+):(gt|ge|lt|le)$/;
/** `metadata.key`, or `metadata[key]` as generated clients write it. */
const METADATA = /^metadata(?:\.(.+)|\[(.+)\])$/s;

const splitName = (name: string): FilterName => {
  const [, dotted, bracketed] = METADATA.exec(name) ?? [];
  const metadataKey = dotted ?? bracketed;
  if (metadataKey !== undefined) return { field: 'metadata', operator: null, metadataKey };
  const [, field, operator] = RANGE.exec(name) ?? [];
  return { field: field ?? name, operator: (operator as RangeOperator | undefined) ?? null, metadataKey: null };
};

const specOf = (type: ResourceType, { field, operator, metadataKey }: FilterName): FilterSpec | null => {
  const { filters } = resourceDefinitions[type];
  const spec = Object.hasOwn(filters, field) ? filters[field] : undefined;
  if (spec === undefined) return null;
  const named =
    (spec.kind === 'range') === (operator !== null) && (spec.kind === 'metadata') === (metadataKey !== null);
  return named ? spec : null;
};

const deletions: ReadonlyMap<string, boolean | 'any'> = new Map<string, boolean | 'any'>([
  ['true', true],
  ['false', false],
  ['any', 'any'],
]);

const outOfChoice = (name: string, values: readonly string[]): Problem =>
  createProblem(name, 'invalid_value', mustBeOneOf(values));

const MOST_VALUES = 100;

/** One value, or several separated by commas. `parse` returns the problem of a value, or null. */
const parseValues = (
  name: string,
  field: string,
  text: string,
  findProblem: (value: string) => Problem | null,
): Result<ListFilter> => {
  const values = [...new Set(text.split(','))];
  if (values.length > MOST_VALUES)
    return failed([createProblem(name, 'too_many', `must have at most ${MOST_VALUES} values`)]);
  const problems = values.flatMap(value => findProblem(value) ?? []);
  if (problems.length > 0) return failed(problems.slice(0, 1));
  return ok(values.length === 1 ? { kind: 'equals', field, value: values[0]! } : { kind: 'in', field, values });
};

const parseIdFilter = (kind: IdKind, name: string, value: string): Problem | null => {
  const parsed = parseId(kind, value, name);
  return parsed.ok ? null : parsed.problems[0]!;
};

/** The same, for a filter with one id. */
const withId = (kind: IdKind, name: string, filter: ListFilter & { readonly value: string }): Result<ListFilter> => {
  const problem = parseIdFilter(kind, name, filter.value);
  return problem === null ? ok(filter) : failed([problem]);
};

const microsecondOf = (time: string): number => Number((/[.,](\d+)/.exec(time)?.[1] ?? '').padEnd(6, '0').slice(3, 6));

const parseRange = (name: string, { field, operator }: FilterName, value: string): Result<RangeFilter> => {
  const at = parseInstant(value, name);
  if (!at.ok) return at;
  return ok({ kind: 'range', field, operator: operator ?? 'ge', value: at.value, microsecond: microsecondOf(value) });
};

/** With the name that was probably meant. */
const describeUnsupportedFilter = (type: ResourceType, name: string): string => {
  const { field } = splitName(name);
  const closest = findClosestName(Object.keys(resourceDefinitions[type].filters), field);
  return isUnknownFilter(closest === null || closest === field ? null : name.replace(field, closest));
};

/** Parses one filter of a list or a webhook rule, by its full name such as `created_at:gt` or `subject.member_id`. */
export const parseListFilter = (type: ResourceType, name: string, value: string): Result<ListFilter> => {
  const parts = splitName(name);
  const { field } = parts;
  const spec = specOf(type, parts);
  if (spec === null) return failed([createProblem(name, 'unsupported_filter', describeUnsupportedFilter(type, name))]);
  switch (spec.kind) {
    case 'choice':
      return parseValues(name, field, value, one =>
        spec.values.includes(one) ? null : outOfChoice(name, spec.values),
      );
    case 'id':
      return parseValues(name, field, value, one => parseIdFilter(spec.of, name, one));
    case 'uid': {
      const uid = toCardUid(value);
      return uid === null
        ? failed([createProblem(name, 'invalid_uid', INVALID_UID)])
        : ok({ kind: 'equals', field, value: uid });
    }
    case 'rule':
      return withId('gadget', name, { kind: 'rule', value });
    case 'text':
      return ok({ kind: 'equals', field, value });
    case 'search':
      return ok({ kind: 'search', value });
    case 'tag':
      return withId('tag', name, { kind: 'tag', value });
    case 'group':
      return withId('member_group', name, { kind: 'group', value });
    case 'validity': {
      const at = parseInstant(value, name);
      return at.ok ? ok({ kind: 'validity', at: at.value }) : at;
    }
    case 'metadata':
      return ok({ kind: 'metadata', key: parts.metadataKey ?? '', value });
    case 'deletion': {
      const wanted = deletions.get(value);
      return wanted === undefined
        ? failed([outOfChoice(name, [...deletions.keys()])])
        : ok({ kind: 'deletion', value: wanted });
    }
    default:
      return parseRange(name, parts, value);
  }
};

const namesOf = (field: string, { kind }: FilterSpec): string[] => {
  if (kind === 'metadata') return [];
  return kind === 'range' ? Object.keys(rangeOperators).map(operator => `${field}:${operator}`) : [field];
};

/** All names that `parseListFilter` accepts for the type, except `metadata.<key>`. */
export const getListFilterNames = (type: ResourceType): string[] =>
  Object.entries(resourceDefinitions[type].filters).flatMap(([field, spec]) => namesOf(field, spec));

/** The same names with their descriptions. */
export const describeListFilters = (type: ResourceType, objects: string): Array<[name: string, description: string]> =>
  Object.entries(resourceDefinitions[type].filters).flatMap(([field, spec]) =>
    namesOf(field, spec).map((name): [string, string] => [name, describeFilter(name, spec, objects)]),
  );
