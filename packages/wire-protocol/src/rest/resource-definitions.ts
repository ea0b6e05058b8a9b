import type { IdKind } from '@lintel/access-core/ids';
import { eventExpandSpecs, type ExpandSpecs, buildExpandSpecs, createToManyExpandSpec } from './resource-expands.ts';
import {
  type ResourceFields,
  booleanResourceField,
  jsonResourceField,
  toNullableResourceField,
  numberResourceField,
  idResourceField,
  type ResourceType,
  createReferenceField,
  toSortableResourceField,
  tagsResourceField,
  textResourceField,
  timeResourceField,
} from './resource-types-and-field-types.ts';
import {
  webhookDeliveryFilterSpecs,
  eventFilterSpecs,
  type FilterSpecs,
  buildFilterSpecs,
  memberFilterSpecs,
  memberGroupFilterSpecs,
  cardFilterSpecs,
} from './resource-filters.ts';

export interface ResourceDefinition {
  /** Null if ids have no prefix. */
  readonly idKind: IdKind | null;
  /** Path of the list, relative to the base URL; null for objects that are visible through expands only. */
  readonly path: string | null;
  readonly fields: ResourceFields;
  readonly defaultSort: { readonly field: string; readonly direction: 'asc' | 'desc' };
  /** Whether the list supports `q`. */
  readonly searchable: boolean;
  readonly filters: FilterSpecs;
  readonly expands: ExpandSpecs;
}

interface Declared {
  readonly id?: IdKind;
  readonly path?: string;
  readonly fields: ResourceFields;
  readonly searchable?: true;
  readonly filters?: FilterSpecs;
  readonly expands?: ExpandSpecs;
}

const resource = ({ id, path, fields, searchable, filters, expands }: Declared): ResourceDefinition => ({
  idKind: id ?? null,
  path: path ?? null,
  fields: { id: toSortableResourceField(idResourceField), ...fields },
  defaultSort: { field: 'created_at' in fields ? 'created_at' : 'id', direction: 'desc' },
  searchable: searchable ?? false,
  filters: { ...buildFilterSpecs(fields), ...filters },
  expands: { ...buildExpandSpecs(fields), ...expands },
});

const name = toSortableResourceField(textResourceField);
const optionalText = toNullableResourceField(textResourceField);
const created_at = toSortableResourceField(timeResourceField);
const bound = toSortableResourceField(toNullableResourceField(timeResourceField));
const organization_id = createReferenceField('organization');
const described = { organization_id, is_deleted: booleanResourceField, created_at, metadata: jsonResourceField };
const ofMember = { ...described, member_id: createReferenceField('member') };

/** Fields of each object, and the filters, sort orders, search and expands of its lists. */
export const resourceDefinitions: Readonly<Record<ResourceType, ResourceDefinition>> = {
  organization: resource({
    id: 'organization',
    path: '/organization',
    fields: { name, is_deleted: booleanResourceField, created_at, metadata: jsonResourceField },
  }),
  site: resource({
    id: 'site',
    path: '/sites',
    fields: {
      ...described,
      name,
      geo: toNullableResourceField(jsonResourceField),
      map: toNullableResourceField(jsonResourceField),
      phone: optionalText,
      email: optionalText,
      info: optionalText,
      timezone: optionalText,
      tag_ids: tagsResourceField,
    },
    expands: {
      gadgets: createToManyExpandSpec('gadget', 'site_id'),
      devices: createToManyExpandSpec('device', 'site_id'),
    },
  }),
  product: resource({ path: '/products', fields: { name } }),
  device: resource({
    id: 'device',
    path: '/devices',
    fields: {
      ...described,
      name,
      site_id: createReferenceField('site'),
      hardware_id: toNullableResourceField(idResourceField),
      product_id: createReferenceField('product'),
      revision_id: toNullableResourceField(idResourceField),
      input_rules: jsonResourceField,
      capabilities: jsonResourceField,
      status: jsonResourceField,
      tag_ids: tagsResourceField,
    },
    expands: { gadgets: createToManyExpandSpec('gadget', 'device_id') },
  }),
  gadget: resource({
    id: 'gadget',
    path: '/gadgets',
    fields: {
      ...described,
      site_id: createReferenceField('site'),
      device_id: createReferenceField('device'),
      name,
      actions: jsonResourceField,
      states: jsonResourceField,
      signals: jsonResourceField,
      state_id: toNullableResourceField(idResourceField),
      tag_ids: tagsResourceField,
    },
  }),
  gadget_trigger: resource({
    id: 'gadget_trigger',
    path: '/gadget_triggers',
    fields: {
      ...described,
      site_id: createReferenceField('site'),
      source_type: textResourceField,
      source_gadget_id: toNullableResourceField(createReferenceField('gadget')),
      source_state_id: toNullableResourceField(idResourceField),
      source_signal_id: toNullableResourceField(idResourceField),
      source_schedule_id: toNullableResourceField(createReferenceField('schedule')),
      source_schedule_event: optionalText,
      target_gadget_id: createReferenceField('gadget'),
      target_action_id: idResourceField,
    },
  }),
  member: resource({
    id: 'member',
    path: '/members',
    fields: {
      ...described,
      name,
      starts_at: bound,
      ends_at: bound,
      tag_ids: tagsResourceField,
      language: optionalText,
    },
    filters: memberFilterSpecs,
    expands: {
      emails: createToManyExpandSpec('member_email', 'member_id'),
      magic_links: createToManyExpandSpec('member_magic_link', 'member_id'),
      pins: createToManyExpandSpec('member_pin', 'member_id'),
      cards: createToManyExpandSpec('member_card', 'member_id'),
      tokens: createToManyExpandSpec('member_token', 'member_id'),
      group_associations: createToManyExpandSpec('member_group_association', 'member_id'),
    },
  }),
  member_email: resource({
    id: 'member_email',
    path: '/members/{member_id}/emails',
    fields: { ...ofMember, email: toSortableResourceField(textResourceField) },
    searchable: true,
  }),
  member_magic_link: resource({
    id: 'member_magic_link',
    path: '/members/{member_id}/magic_links',
    fields: ofMember,
  }),
  member_pin: resource({
    id: 'member_pin',
    path: '/members/{member_id}/pins',
    fields: { ...ofMember, length: toSortableResourceField(numberResourceField) },
  }),
  member_card: resource({
    id: 'member_card',
    path: '/members/{member_id}/cards',
    fields: {
      ...ofMember,
      card_id: createReferenceField('card'),
      uid: optionalText,
      printed_code: optionalText,
      name: optionalText,
    },
  }),
  member_token: resource({ id: 'member_token', path: '/members/{member_id}/tokens', fields: ofMember }),
  member_group_association: resource({
    id: 'member_group_association',
    path: '/members/{member_id}/group_associations',
    fields: { ...ofMember, member_group_id: createReferenceField('member_group'), starts_at: bound, ends_at: bound },
  }),
  member_group: resource({
    id: 'member_group',
    path: '/member_groups',
    fields: { ...described, name, permissions: jsonResourceField, tag_ids: tagsResourceField },
    filters: memberGroupFilterSpecs,
    searchable: true,
  }),
  schedule: resource({
    id: 'schedule',
    path: '/schedules',
    fields: { ...described, name, weekdays: jsonResourceField },
    searchable: true,
  }),
  card: resource({
    id: 'card',
    path: '/cards',
    fields: {
      ...described,
      name,
      uid: toSortableResourceField(optionalText),
      printed_code: toSortableResourceField(optionalText),
    },
    filters: cardFilterSpecs,
  }),
  event: resource({
    id: 'event',
    path: '/events',
    fields: {
      organization_id,
      subject: jsonResourceField,
      verb: toSortableResourceField(textResourceField),
      object: jsonResourceField,
      reason: optionalText,
      details: toNullableResourceField(jsonResourceField),
      created_at,
      occurred_at: toSortableResourceField(timeResourceField),
      recorded_at: toSortableResourceField(timeResourceField),
    },
    filters: eventFilterSpecs,
    expands: eventExpandSpecs,
  }),
  webhook: resource({
    id: 'webhook',
    path: '/webhooks',
    fields: {
      ...described,
      url: toSortableResourceField(textResourceField),
      filter: jsonResourceField,
      expand: jsonResourceField,
      is_enabled: booleanResourceField,
      failing_since: toNullableResourceField(timeResourceField),
    },
  }),
  webhook_delivery: resource({
    id: 'webhook_delivery',
    path: '/webhooks/{webhook_id}/deliveries',
    fields: {
      organization_id,
      webhook_id: createReferenceField('webhook'),
      event_id: createReferenceField('event'),
      created_at,
      status: textResourceField,
      attempts: numberResourceField,
      request_url: optionalText,
      response_status: toNullableResourceField(numberResourceField),
      response_body: optionalText,
      error: optionalText,
      note: optionalText,
      duration_ms: toNullableResourceField(numberResourceField),
      last_attempt_at: toNullableResourceField(timeResourceField),
      next_attempt_at: toNullableResourceField(timeResourceField),
    },
    filters: webhookDeliveryFilterSpecs,
  }),
  tag: resource({ id: 'tag', path: '/tags', fields: { ...described, name, color: optionalText } }),
  user: resource({ id: 'user', fields: { email: textResourceField, name: textResourceField } }),
  oauth_application: resource({ id: 'oauth_application', fields: { name: textResourceField } }),
};
