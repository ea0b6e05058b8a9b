import { type Instant, parseInstant } from '@lintel/access-core/instant';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import type { ResourceType } from './resource-types-and-field-types.ts';
import { describeFilter, type FilterSpec, rangeOperators, type RangeOperator } from './resource-filters.ts';
import { resourceDefinitions } from './resource-definitions.ts';

/** The number of inserted, deleted, replaced or swapped characters between two texts. */
const editDistance = (one: string, other: string): number => {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwapped) best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
};

const MAX_LENGTH = 64;

/** The name that a mistyped word most likely means; null if none is similar. */
const findClosestName = (names: readonly string[], word: string): string | null => {
  if (word.length > MAX_LENGTH) return null;
  const limit = Math.max(1, Math.floor(word.length / 3));
  const ranked = names
    .map(name => ({ name, distance: editDistance(name.toLowerCase(), word.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.name ?? null;
};

export type ListFilter =
  | { readonly kind: 'equals'; readonly field: string; readonly value: string }
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

const outOfChoice = (name: string, values: readonly string[]): Result<never> =>
  failed([createProblem(name, 'invalid_value', `must be one of ${values.join(', ')}`)]);

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
  const hint = closest === null || closest === field ? '' : `. Did you mean '${name.replace(field, closest)}'?`;
  return `unsupported filter '${name}'${hint}`;
};

/** Parses one filter of a list or a webhook rule, by its full name such as `created_at:gt` or `subject.member_id`. */
export const parseListFilter = (type: ResourceType, name: string, value: string): Result<ListFilter> => {
  const parts = splitName(name);
  const { field } = parts;
  const spec = specOf(type, parts);
  if (spec === null) return failed([createProblem(name, 'unsupported_filter', describeUnsupportedFilter(type, name))]);
  switch (spec.kind) {
    case 'choice':
      return spec.values.includes(value) ? ok({ kind: 'equals', field, value }) : outOfChoice(name, spec.values);
    case 'text':
      return ok({ kind: 'equals', field, value });
    case 'tag':
    case 'search':
      return ok({ kind: spec.kind, value });
    case 'group':
      return ok({ kind: 'group', value });
    case 'validity': {
      const at = parseInstant(value, name);
      return at.ok ? ok({ kind: 'validity', at: at.value }) : at;
    }
    case 'metadata':
      return ok({ kind: 'metadata', key: parts.metadataKey ?? '', value });
    case 'deletion': {
      const wanted = deletions.get(value);
      return wanted === undefined ? outOfChoice(name, [...deletions.keys()]) : ok({ kind: 'deletion', value: wanted });
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
