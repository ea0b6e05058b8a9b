import { isRepeated, mustBeNumberBetween } from '@lintel/access-core/problem-texts';
import { failed, ok, type Problem, createProblem, type Result } from '@lintel/access-core/result';
import { type ExpandTree, parseExpand } from './parse-expand-parameter.ts';
import { type ListFilter, parseListFilter } from './list-filter.ts';
import type { ResourceType } from './resource-types-and-field-types.ts';
import { type ResourceDefinition, resourceDefinitions } from './resource-definitions.ts';

export type ListSort = ResourceDefinition['defaultSort'];

export interface ListQuery {
  readonly limit: number;
  readonly sort: ListSort;
  readonly cursor: string | null;
  readonly q: string | null;
  readonly expand: ExpandTree;
  /** Sorted by name, so that equal queries have equal forms. */
  readonly filters: readonly ListFilter[];
}

const MOST_ITEMS = 100;
const ITEMS_BY_DEFAULT = 100;

const parseLimit = (value: string): Result<number> => {
  const limit = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= MOST_ITEMS) return ok(limit);
  return failed([createProblem('limit', 'out_of_range', mustBeNumberBetween('whole number', 1, MOST_ITEMS))]);
};

const parseSort = (type: ResourceType, value: string): Result<ListSort> => {
  const [, field = '', direction = ''] = /^([^:]+):(asc|desc)$/.exec(value) ?? [];
  const { fields } = resourceDefinitions[type];
  const sortable = Object.hasOwn(fields, field) && fields[field]?.sortable === true;
  if (sortable && (direction === 'asc' || direction === 'desc')) return ok({ field, direction });
  const names = Object.keys(fields).filter(name => fields[name]?.sortable);
  const message = `must be one of ${names.join(', ')}, followed by :asc or :desc`;
  return failed([createProblem('sort', 'invalid_sort', message)]);
};

/** The query parameters. Known ones are taken out; the rest are filters. */
class Parameters {
  readonly problems: Problem[] = [];
  readonly #left = new Map<string, string>();

  constructor(raw: Readonly<Record<string, unknown>>) {
    for (const [name, value] of Object.entries(raw)) {
      if (typeof value === 'string') this.#left.set(name, value);
      else if (value !== undefined) this.problems.push(createProblem(name, 'repeated', isRepeated));
    }
  }

  take<T>(name: string, parse: (value: string) => Result<T>, otherwise: T): T {
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value === undefined ? otherwise : this.keep(parse(value), otherwise);
  }

  keep<T>(result: Result<T>, otherwise: T): T {
    if (result.ok) return result.value;
    this.problems.push(...result.problems);
    return otherwise;
  }

  left(): [string, string][] {
    return [...this.#left];
  }
}

/** Adds the implicit default, so that equal queries have equal forms: deleted objects are hidden. */
const withDefaults = (type: ResourceType, parameters: [string, string][]): [string, string][] => {
  const deletable = Object.hasOwn(resourceDefinitions[type].filters, 'is_deleted');
  if (!deletable || parameters.some(([name]) => name === 'is_deleted')) return parameters;
  return [...parameters, ['is_deleted', 'false']];
};

const parseFilters = (type: ResourceType, parameters: Parameters): ListFilter[] =>
  withDefaults(type, parameters.left())
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => {
      const filter = parameters.keep<ListFilter | null>(parseListFilter(type, name, value), null);
      return filter === null ? [] : [filter];
    });

export const parseListQuery = (type: ResourceType, raw: Readonly<Record<string, unknown>>): Result<ListQuery> => {
  const { defaultSort, searchable } = resourceDefinitions[type];
  const parameters = new Parameters(raw);
  const query = {
    limit: parameters.take('limit', parseLimit, ITEMS_BY_DEFAULT),
    sort: parameters.take('sort', value => parseSort(type, value), defaultSort),
    cursor: parameters.take<string | null>('cursor', ok, null),
    q: searchable ? parameters.take<string | null>('q', ok, null) : null,
    expand: parameters.take<ExpandTree>('expand', value => parseExpand(type, value), new Map()),
    filters: parseFilters(type, parameters),
  };
  return parameters.problems.length === 0 ? ok(query) : failed(parameters.problems);
};
