import type { ListFilter } from '@lintel/wire-protocol/rest/list-filter';
import { eventIndexConditions } from '../storage/partial-event-index-conditions.ts';
import { rawSql, type SqlFragment } from '../storage/sql-fragment.ts';

const USE = 'use';

/**
 * Repeats what the filters of an event list already say, in the words of the partial index that suits them best. Null if an
 * index on another filter, such as the member, suits better.
 */
export const buildEventIndexCondition = (filters: readonly ListFilter[]): SqlFragment | null => {
  const values = new Map(filters.flatMap(filter => (filter.kind === 'equals' ? [[filter.field, filter.value]] : [])));
  const verb = values.get('verb');
  const isDenied = verb === 'deny';
  const named = filters.flatMap(filter => (filter.kind === 'equals' || filter.kind === 'in' ? [filter.field] : []));
  const others = named.filter(field => field !== 'verb' && field !== 'object.type');
  const condition =
    isDenied && others.length > 0 && others.every(field => field === 'object.gadget_id' || field === 'reason')
      ? eventIndexConditions.denied
      : others.length > 0
        ? null
        : values.get('object.type') === 'gadget_state'
          ? eventIndexConditions.state
          : verb !== undefined && verb !== USE
            ? eventIndexConditions.notUse
            : null;
  return condition === null ? null : rawSql(`t.${condition}`);
};
