/** All object types of lists, expands and events. */
export const resourceTypes = [
  'organization',
  'site',
  'product',
  'device',
  'gadget',
  'gadget_trigger',
  'member',
  'member_email',
  'member_magic_link',
  'member_pin',
  'member_card',
  'member_token',
  'member_group_association',
  'member_group',
  'schedule',
  'card',
  'event',
  'webhook',
  'webhook_delivery',
  'tag',
  'user',
  'oauth_application',
] as const;
export type ResourceType = (typeof resourceTypes)[number];

type FieldKind = 'id' | 'ids' | 'string' | 'number' | 'boolean' | 'instant' | 'json';

export interface ResourceField {
  readonly kind: FieldKind;
  readonly nullable: boolean;
  readonly sortable: boolean;
  /** The type of the referenced object. */
  readonly references: ResourceType | null;
}

export type ResourceFields = Readonly<Record<string, ResourceField>>;

const field = (kind: FieldKind): ResourceField => ({ kind, nullable: false, sortable: false, references: null });

export const textResourceField = field('string');
export const numberResourceField = field('number');
export const booleanResourceField = field('boolean');
export const jsonResourceField = field('json');
export const timeResourceField = field('instant');
/** An id that does not reference a resource: a state, a revision, a product id. */
export const idResourceField = field('id');
export const tagsResourceField: ResourceField = { ...field('ids'), references: 'tag' };

export const createReferenceField = (to: ResourceType): ResourceField => ({ ...idResourceField, references: to });
export const toNullableResourceField = (of: ResourceField): ResourceField => ({ ...of, nullable: true });
export const toSortableResourceField = (of: ResourceField): ResourceField => ({ ...of, sortable: true });
