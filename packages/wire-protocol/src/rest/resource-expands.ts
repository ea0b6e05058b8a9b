import { eventObjectTypes, eventSubjectTypes } from './event-verbs-and-object-types.ts';
import { type ResourceFields, type ResourceType, resourceTypes } from './resource-types-and-field-types.ts';

export type ExpandSpec =
  /** The object named by `field` (dotted if nested), under its own key. */
  | { readonly kind: 'one'; readonly target: ResourceType; readonly field: string }
  /** All objects of the target type, deleted ones excluded, whose `foreign` field is this object's id. */
  | { readonly kind: 'many'; readonly target: ResourceType; readonly foreign: string }
  /** The objects named by the list of ids in `field`. */
  | { readonly kind: 'list'; readonly target: ResourceType; readonly field: string };

export type ExpandSpecs = Readonly<Record<string, ExpandSpec>>;

/** To-one expands are named like the `*_id` field without `_id`; `tags` expands `tag_ids`. */
export const buildExpandSpecs = (fields: ResourceFields): ExpandSpecs =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { references }]): [string, ExpandSpec][] => {
      if (references === null) return [];
      if (name === 'tag_ids') return [['tags', { kind: 'list', target: references, field: name }]];
      return [[name.replace(/_id$/, ''), { kind: 'one', target: references, field: name }]];
    }),
  );

export const createToManyExpandSpec = (target: ResourceType, foreign: string): ExpandSpec => ({
  kind: 'many',
  target,
  foreign,
});

const isResourceType = (what: string): what is ResourceType => (resourceTypes as readonly string[]).includes(what);

/** Actions, states, signals and hardware have ids in events but are not resources. */
const ofEventPart = (part: 'subject' | 'object', whats: readonly string[]): [string, ExpandSpec][] =>
  whats
    .filter(isResourceType)
    .map(what => [`${part}_${what}`, { kind: 'one', target: what, field: `${part}.${what}_id` }]);

export const eventExpandSpecs: ExpandSpecs = Object.fromEntries([
  ...ofEventPart('subject', eventSubjectTypes),
  ...ofEventPart('object', eventObjectTypes),
]);
