import type { Filter } from '@lintel/wire-protocol/rest/filter';
import type { EventRow } from '../storage/schema.ts';
import { columnBound } from './conditions.ts';

type Range = Extract<Filter, { kind: 'range' }>;

const compare: Readonly<Record<Range['operator'], (value: number, bound: number) => boolean>> = {
  gt: (value, bound) => value > bound,
  ge: (value, bound) => value >= bound,
  lt: (value, bound) => value < bound,
  le: (value, bound) => value <= bound,
};

const valueOf = (event: EventRow, field: string): unknown => {
  const column = field === 'occurred_at' ? 'created_at' : field.replace('.', '_');
  return event[column as keyof EventRow];
};

const matches = (event: EventRow, filter: Filter): boolean => {
  if (filter.kind === 'equals') return valueOf(event, filter.field) === filter.value;
  if (filter.kind !== 'range') return false;
  const { operator, at } = columnBound(filter);
  return compare[operator](valueOf(event, filter.field) as number, at);
};

/** Whether the list of events with these filters would show this one: no query is needed to know. */
export const eventMatches = (event: EventRow, filters: readonly Filter[]): boolean =>
  filters.every(filter => matches(event, filter));
