import type { ListFilter } from '@lintel/wire-protocol/rest/list-filter';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import { toColumnBound } from './sql-conditions.ts';

type Range = Extract<ListFilter, { kind: 'range' }>;

const compare: Readonly<Record<Range['operator'], (value: number, bound: number) => boolean>> = {
  gt: (value, bound) => value > bound,
  ge: (value, bound) => value >= bound,
  lt: (value, bound) => value < bound,
  le: (value, bound) => value <= bound,
};

const valueOf = (event: OrganizationEventRow, field: string): unknown => {
  const column = field === 'occurred_at' ? 'created_at' : field.replace('.', '_');
  return event[column as keyof OrganizationEventRow];
};

const equals = (event: OrganizationEventRow, field: string, value: string): boolean =>
  field === 'subject.type' ? valueOf(event, `subject.${value}_id`) !== null : valueOf(event, field) === value;

const matches = (event: OrganizationEventRow, filter: ListFilter): boolean => {
  if (filter.kind === 'equals') return equals(event, filter.field, filter.value);
  if (filter.kind === 'in') return filter.values.some(value => equals(event, filter.field, value));
  if (filter.kind !== 'range') return false;
  const { operator, at } = toColumnBound(filter);
  return compare[operator](valueOf(event, filter.field) as number, at);
};

/** Evaluates list filters in memory, with the same result as the database query. */
export const eventMatchesFilters = (event: OrganizationEventRow, filters: readonly ListFilter[]): boolean =>
  filters.every(filter => matches(event, filter));
