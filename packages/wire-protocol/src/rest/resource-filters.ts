import { accessMethods } from './access-method.ts';
import { eventObjectTypes, eventSubjects, eventVerbs } from './event-terms.ts';
import type { Fields } from './resource-fields.ts';
import { deliveryStatuses } from './webhook-delivery.ts';

export type RangeOperator = 'gt' | 'ge' | 'lt' | 'le';

export type FilterSpec =
  | { readonly kind: 'text' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  /** `true`, `false` or `any`; `false` when it is not asked for. */
  | { readonly kind: 'deletion' }
  /** Taken with `:gt`, `:ge`, `:lt` and `:le`, not by equality. */
  | { readonly kind: 'range' }
  /** `metadata.<key>`, one for each key. */
  | { readonly kind: 'metadata' }
  /** The object carries this tag. */
  | { readonly kind: 'tag' };

export type FilterSpecs = Readonly<Record<string, FilterSpec>>;

const anyText: FilterSpec = { kind: 'text' };

const filterOfField = (name: string): [string, FilterSpec][] => {
  if (name.endsWith('_id')) return [[name, anyText]];
  if (name === 'is_deleted') return [[name, { kind: 'deletion' }]];
  if (name === 'created_at' || name === 'recorded_at') return [[name, { kind: 'range' }]];
  if (name === 'metadata') return [[name, { kind: 'metadata' }]];
  if (name === 'tag_ids') return [['tag_id', { kind: 'tag' }]];
  return [];
};

/** The filters that a field brings by being there. */
export const filtersOfFields = (fields: Fields): FilterSpecs =>
  Object.fromEntries(Object.keys(fields).flatMap(filterOfField));

export const memberFilters: FilterSpecs = { email: anyText };

export const deliveryFilters: FilterSpecs = { status: { kind: 'choice', values: deliveryStatuses } };

export const eventFilters: FilterSpecs = {
  verb: { kind: 'choice', values: eventVerbs },
  ...Object.fromEntries(eventSubjects.map(what => [`subject.${what}_id`, anyText])),
  'subject.access_method': { kind: 'choice', values: accessMethods },
  'object.type': { kind: 'choice', values: eventObjectTypes },
  ...Object.fromEntries(eventObjectTypes.map(what => [`object.${what}_id`, anyText])),
};
