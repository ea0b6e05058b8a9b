/** Every type of object that a list, an expand or an event can show. */
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

export interface Field {
  readonly kind: FieldKind;
  readonly nullable: boolean;
  readonly sortable: boolean;
  /** The type of object whose id this is. */
  readonly references: ResourceType | null;
}

export type Fields = Readonly<Record<string, Field>>;

const field = (kind: FieldKind): Field => ({ kind, nullable: false, sortable: false, references: null });

export const text = field('string');
export const number = field('number');
export const flag = field('boolean');
export const json = field('json');
export const time = field('instant');
/** An id that stands for no object of its own: a state, a revision, a product's plain id. */
export const plainId = field('id');
export const tags: Field = { ...field('ids'), references: 'tag' };

export const reference = (to: ResourceType): Field => ({ ...plainId, references: to });
export const nullable = (of: Field): Field => ({ ...of, nullable: true });
export const sortable = (of: Field): Field => ({ ...of, sortable: true });
