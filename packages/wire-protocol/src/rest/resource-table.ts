import type { IdKind } from '@lintel/access-core/ids';
import { eventExpands, type ExpandSpecs, buildExpandSpecs, toManyExpand } from './resource-expands.ts';
import {
  type ResourceFields,
  booleanField,
  jsonField,
  toNullableField,
  numberField,
  idField,
  type ResourceType,
  createReferenceField,
  toSortableField,
  tagsField,
  textField,
  timeField,
} from './resource-fields.ts';
import {
  webhookDeliveryFilters,
  eventFilters,
  type FilterSpecs,
  buildFilterSpecs,
  memberFilters,
} from './resource-filters.ts';

export type { ResourceType };

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
  fields: { id: toSortableField(idField), ...fields },
  defaultSort: { field: 'created_at' in fields ? 'created_at' : 'id', direction: 'desc' },
  searchable: searchable ?? false,
  filters: { ...buildFilterSpecs(fields), ...filters },
  expands: { ...buildExpandSpecs(fields), ...expands },
});

const name = toSortableField(textField);
const optionalText = toNullableField(textField);
const created_at = toSortableField(timeField);
const bound = toSortableField(toNullableField(timeField));
const organization_id = createReferenceField('organization');
const described = { organization_id, is_deleted: booleanField, created_at, metadata: jsonField };
const ofMember = { ...described, member_id: createReferenceField('member') };

/** Fields of each object, and the filters, sort orders, search and expands of its lists. */
export const resourceTable: Readonly<Record<ResourceType, ResourceDefinition>> = {
  organization: resource({
    id: 'organization',
    path: '/organization',
    fields: { name, is_deleted: booleanField, created_at, metadata: jsonField },
  }),
  site: resource({
    id: 'site',
    path: '/sites',
    fields: {
      ...described,
      name,
      geo: toNullableField(jsonField),
      map: toNullableField(jsonField),
      phone: optionalText,
      email: optionalText,
      info: optionalText,
      timezone: optionalText,
      tag_ids: tagsField,
    },
    expands: { gadgets: toManyExpand('gadget', 'site_id'), devices: toManyExpand('device', 'site_id') },
  }),
  product: resource({ path: '/products', fields: { name } }),
  device: resource({
    id: 'device',
    path: '/devices',
    fields: {
      ...described,
      name,
      site_id: createReferenceField('site'),
      hardware_id: toNullableField(idField),
      product_id: createReferenceField('product'),
      revision_id: toNullableField(idField),
      input_rules: jsonField,
      capabilities: jsonField,
      status: jsonField,
      tag_ids: tagsField,
    },
    expands: { gadgets: toManyExpand('gadget', 'device_id') },
  }),
  gadget: resource({
    id: 'gadget',
    path: '/gadgets',
    fields: {
      ...described,
      site_id: createReferenceField('site'),
      device_id: createReferenceField('device'),
      name,
      actions: jsonField,
      states: jsonField,
      signals: jsonField,
      state_id: toNullableField(idField),
      tag_ids: tagsField,
    },
  }),
  gadget_trigger: resource({
    id: 'gadget_trigger',
    path: '/gadget_triggers',
    fields: {
      ...described,
      site_id: createReferenceField('site'),
      source_type: textField,
      source_gadget_id: toNullableField(createReferenceField('gadget')),
      source_state_id: toNullableField(idField),
      source_signal_id: toNullableField(idField),
      source_schedule_id: toNullableField(createReferenceField('schedule')),
      source_schedule_event: optionalText,
      target_gadget_id: createReferenceField('gadget'),
      target_action_id: idField,
    },
  }),
  member: resource({
    id: 'member',
    path: '/members',
    fields: { ...described, name, starts_at: bound, ends_at: bound, tag_ids: tagsField, language: optionalText },
    filters: memberFilters,
    expands: {
      emails: toManyExpand('member_email', 'member_id'),
      magic_links: toManyExpand('member_magic_link', 'member_id'),
      pins: toManyExpand('member_pin', 'member_id'),
      cards: toManyExpand('member_card', 'member_id'),
      tokens: toManyExpand('member_token', 'member_id'),
      group_associations: toManyExpand('member_group_association', 'member_id'),
    },
  }),
  member_email: resource({
    id: 'member_email',
    path: '/members/{member_id}/emails',
    fields: { ...ofMember, email: toSortableField(textField) },
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
    fields: { ...ofMember, length: toSortableField(numberField) },
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
    fields: { ...described, name, permissions: jsonField, tag_ids: tagsField },
    searchable: true,
  }),
  schedule: resource({
    id: 'schedule',
    path: '/schedules',
    fields: { ...described, name, weekdays: jsonField },
    searchable: true,
  }),
  card: resource({
    id: 'card',
    path: '/cards',
    fields: {
      ...described,
      name,
      uid: toSortableField(optionalText),
      printed_code: toSortableField(optionalText),
    },
  }),
  event: resource({
    id: 'event',
    path: '/events',
    fields: {
      organization_id,
      subject: jsonField,
      verb: toSortableField(textField),
      object: jsonField,
      reason: optionalText,
      details: toNullableField(jsonField),
      created_at,
      occurred_at: toSortableField(timeField),
      recorded_at: toSortableField(timeField),
    },
    filters: eventFilters,
    expands: eventExpands,
  }),
  webhook: resource({
    id: 'webhook',
    path: '/webhooks',
    fields: {
      ...described,
      url: toSortableField(textField),
      filter: jsonField,
      expand: jsonField,
      is_enabled: booleanField,
      failing_since: toNullableField(timeField),
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
      status: textField,
      attempts: numberField,
      request_url: optionalText,
      response_status: toNullableField(numberField),
      response_body: optionalText,
      error: optionalText,
      note: optionalText,
      duration_ms: toNullableField(numberField),
      last_attempt_at: toNullableField(timeField),
      next_attempt_at: toNullableField(timeField),
    },
    filters: webhookDeliveryFilters,
  }),
  tag: resource({ id: 'tag', path: '/tags', fields: { ...described, name, color: optionalText } }),
  user: resource({ id: 'user', fields: { email: textField, name: textField } }),
  oauth_application: resource({ id: 'oauth_application', fields: { name: textField } }),
};
