import { accessMethods } from '@lintel/access-core/access-data-types';
import { type IdKind, idPrefixes } from '@lintel/access-core/ids';
import { eventReasons } from './event-reasons.ts';
import { eventObjectTypes, eventSubjectTypes, eventVerbs } from './event-verbs-and-object-types.ts';
import type { ResourceField, ResourceFields } from './resource-types-and-field-types.ts';
import { webhookDeliveryStatuses } from './webhook-delivery.ts';

export type RangeOperator = 'gt' | 'ge' | 'lt' | 'le';

export type FilterSpec =
  | { readonly kind: 'text' }
  /** One id of this kind, or several separated by commas. */
  | { readonly kind: 'id'; readonly of: IdKind }
  /** A card UID, in upper or lower case. */
  | { readonly kind: 'uid' }
  /** A rule of the group names the gadget. */
  | { readonly kind: 'rule' }
  /** One of the values, or several separated by commas. */
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  /** `true`, `false` or `any`; `false` by default. */
  | { readonly kind: 'deletion' }
  /** Used with `:gt`, `:ge`, `:lt` and `:le`, not with equality. */
  | { readonly kind: 'range' }
  /** `metadata.<key>`, for any key. */
  | { readonly kind: 'metadata' }
  /** The object has this tag. */
  | { readonly kind: 'tag' }
  /** Each word of the value begins a word of the object. */
  | { readonly kind: 'search' }
  /** The member is associated with this group. */
  | { readonly kind: 'group' }
  /** The time is within `starts_at` and `ends_at`. */
  | { readonly kind: 'validity' };

export type FilterSpecs = Readonly<Record<string, FilterSpec>>;

export const rangeOperators: Readonly<Record<RangeOperator, string>> = {
  gt: 'after',
  ge: 'at or after',
  lt: 'before',
  le: 'at or before',
};

/** What a filter does, for the documentation. `objects` are what the list has. */
export const describeFilter = (name: string, { kind }: FilterSpec, objects: string): string => {
  switch (kind) {
    case 'deletion':
      return `false: only ${objects} that are not deleted. true: only deleted ones. any: both. Default: false`;
    case 'range': {
      const [field = '', operator = 'ge'] = name.split(':');
      return `Only ${objects} with ${field} ${rangeOperators[operator as RangeOperator]} this time, in ISO 8601 with an offset or Z`;
    }
    case 'metadata':
      return `Only ${objects} with these metadata values: metadata[key]=value or metadata.key=value, for any key`;
    case 'search':
      return 'Only members with words that begin with each of these words: name, email, metadata value. Ignores case and accents';
    case 'group':
      return 'Only members that are associated with this group: its id';
    case 'validity':
      return `Only ${objects} that are valid at this time, in ISO 8601 with an offset or Z: starts_at is not after it, ends_at is after it or null`;
    case 'tag':
      return `Only ${objects} with this tag: its id`;
    case 'id':
      return `Only ${objects} with this ${name}, a whole id. Several ids, separated by commas: ${objects} with one of them`;
    case 'choice':
      return name === 'subject.type'
        ? `Only ${objects} whose subject is of this kind, which follows from the ids of the subject. Several kinds are separated by commas`
        : `Only ${objects} with this ${name}. Several values, separated by commas: ${objects} with one of them`;
    case 'uid':
      return `Only ${objects} with this UID, in hexadecimal`;
    case 'rule':
      return 'Only groups with a rule that names this gadget: its id. Rules for its site or for all gadgets, and inherited ones, do not count';
    default:
      return name.endsWith('_id')
        ? `Only ${objects} with this ${name}, a whole id`
        : `Only ${objects} with this ${name}`;
  }
};

const idPatternOf = (kind: IdKind): string => `${idPrefixes[kind]}[0-9A-Za-z_-]{1,64}`;

const oneId = (kind: IdKind): FilterSchema => ({ type: 'string', pattern: `^(?:${idPatternOf(kind)})$` });

/** JSON Schema of the value of a filter. */
export type FilterSchema = Readonly<Record<string, unknown>>;

/** The values that a filter accepts, for the documentation. */
export const getFilterSchema = (spec: FilterSpec): FilterSchema => {
  switch (spec.kind) {
    case 'choice':
      return {
        anyOf: [
          { type: 'string', enum: spec.values },
          { type: 'string', pattern: '^[a-z_]+(?:,[a-z_]+)+$' },
        ],
      };
    case 'id':
      return { type: 'string', pattern: `^(?:${idPatternOf(spec.of)})(?:,${idPatternOf(spec.of)})*$` };
    case 'tag':
      return oneId('tag');
    case 'group':
      return oneId('member_group');
    case 'rule':
      return oneId('gadget');
    case 'range':
    case 'validity':
      return { type: 'string', format: 'date-time' };
    default:
      return { type: 'string' };
  }
};

const anyText: FilterSpec = { kind: 'text' };

const rangeFields: ReadonlySet<string> = new Set(['created_at', 'occurred_at', 'recorded_at', 'starts_at', 'ends_at']);

const idFilter = (of: string): FilterSpec =>
  Object.hasOwn(idPrefixes, of) ? { kind: 'id', of: of as IdKind } : anyText;

const filterOfField = (name: string, { references }: ResourceField): [string, FilterSpec][] => {
  if (name.endsWith('_id')) return [[name, idFilter(references ?? name.replace(/_id$/, ''))]];
  if (name === 'is_deleted') return [[name, { kind: 'deletion' }]];
  if (rangeFields.has(name)) return [[name, { kind: 'range' }]];
  if (name === 'metadata') return [[name, { kind: 'metadata' }]];
  if (name === 'tag_ids') return [['tag_id', { kind: 'tag' }]];
  return [];
};

/** The filters that follow from the fields. */
export const buildFilterSpecs = (fields: ResourceFields): FilterSpecs =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => filterOfField(name, field)));

export const memberFilterSpecs: FilterSpecs = {
  email: anyText,
  search: { kind: 'search' },
  member_group_id: { kind: 'group' },
  valid_at: { kind: 'validity' },
};

export const memberGroupFilterSpecs: FilterSpecs = { gadget_id: { kind: 'rule' } };

export const cardFilterSpecs: FilterSpecs = { uid: { kind: 'uid' }, printed_code: anyText };

export const webhookDeliveryFilterSpecs: FilterSpecs = { status: { kind: 'choice', values: webhookDeliveryStatuses } };

export const eventFilterSpecs: FilterSpecs = {
  verb: { kind: 'choice', values: eventVerbs },
  reason: { kind: 'choice', values: eventReasons },
  ...Object.fromEntries(eventSubjectTypes.map(what => [`subject.${what}_id`, idFilter(what)])),
  'subject.type': { kind: 'choice', values: ['member', 'user', 'oauth_application', 'device'] },
  'subject.access_method': { kind: 'choice', values: accessMethods },
  'object.type': { kind: 'choice', values: eventObjectTypes },
  ...Object.fromEntries(eventObjectTypes.map(what => [`object.${what}_id`, idFilter(what)])),
};
