import type { IdKind } from '@lintel/access-core/ids';
import { eventExpands, type ExpandSpecs, expandsOfFields, toMany } from './resource-expands.ts';
import {
  type ResourceFields,
  booleanField,
  jsonField,
  nullableField,
  numberField,
  idField,
  type ResourceType,
  referenceTo,
  sortableField,
  tagsField,
  textField,
  timeField,
} from './resource-fields.ts';
import {
  webhookDeliveryFilters,
  eventFilters,
  type FilterSpecs,
  filtersOfFields,
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
  fields: { id: sortableField(idField), ...fields },
  defaultSort: { field: 'created_at' in fields ? 'created_at' : 'id', direction: 'desc' },
  searchable: searchable ?? false,
  filters: { ...filtersOfFields(fields), ...filters },
  expands: { ...expandsOfFields(fields), ...expands },
});

const name = sortableField(textField);
const optionalText = nullableField(textField);
const created_at = sortableField(timeField);
const bound = sortableField(nullableField(timeField));
const organization_id = referenceTo('organization');
const described = { organization_id, is_deleted: booleanField, created_at, metadata: jsonField };
const ofMember = { ...described, member_id: referenceTo('member') };

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
      geo: nullableField(jsonField),
      map: nullableField(jsonField),
      phone: optionalText,
      email: optionalText,
      info: optionalText,
      timezone: optionalText,
      tag_ids: tagsField,
    },
    expands: { gadgets: toMany('gadget', 'site_id'), devices: toMany('device', 'site_id') },
  }),
  product: resource({ path: '/products', fields: { name } }),
  device: resource({
    id: 'device',
    path: '/devices',
    fields: {
      ...described,
      name,
      site_id: referenceTo('site'),
      hardware_id: nullableField(idField),
      product_id: referenceTo('product'),
      revision_id: nullableField(idField),
      input_rules: jsonField,
      capabilities: jsonField,
      status: jsonField,
      tag_ids: tagsField,
    },
    expands: { gadgets: toMany('gadget', 'device_id') },
  }),
  gadget: resource({
    id: 'gadget',
    path: '/gadgets',
    fields: {
      ...described,
      site_id: referenceTo('site'),
      device_id: referenceTo('device'),
      name,
      actions: jsonField,
      states: jsonField,
      signals: jsonField,
      state_id: nullableField(idField),
      tag_ids: tagsField,
    },
  }),
  gadget_trigger: resource({
    id: 'gadget_trigger',
    path: '/gadget_triggers',
    fields: {
      ...described,
      site_id: referenceTo('site'),
      source_type: textField,
      source_gadget_id: nullableField(referenceTo('gadget')),
      source_state_id: nullableField(idField),
      source_signal_id: nullableField(idField),
      source_schedule_id: nullableField(referenceTo('schedule')),
      source_schedule_event: optionalText,
      target_gadget_id: referenceTo('gadget'),
      target_action_id: idField,
    },
  }),
  member: resource({
    id: 'member',
    path: '/members',
    fields: { ...described, name, starts_at: bound, ends_at: bound, tag_ids: tagsField, language: optionalText },
    filters: memberFilters,
    expands: {
      emails: toMany('member_email', 'member_id'),
      magic_links: toMany('member_magic_link', 'member_id'),
      pins: toMany('member_pin', 'member_id'),
      cards: toMany('member_card', 'member_id'),
      tokens: toMany('member_token', 'member_id'),
      group_associations: toMany('member_group_association', 'member_id'),
    },
  }),
  member_email: resource({
    id: 'member_email',
    path: '/members/{member_id}/emails',
    fields: { ...ofMember, email: sortableField(textField) },
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
    fields: { ...ofMember, length: sortableField(numberField) },
  }),
  member_card: resource({
    id: 'member_card',
    path: '/members/{member_id}/cards',
    fields: {
      ...ofMember,
      card_id: referenceTo('card'),
      uid: optionalText,
      printed_code: optionalText,
      name: optionalText,
    },
  }),
  member_token: resource({ id: 'member_token', path: '/members/{member_id}/tokens', fields: ofMember }),
  member_group_association: resource({
    id: 'member_group_association',
    path: '/members/{member_id}/group_associations',
    fields: { ...ofMember, member_group_id: referenceTo('member_group'), starts_at: bound, ends_at: bound },
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
      uid: sortableField(optionalText),
      printed_code: sortableField(optionalText),
    },
  }),
  event: resource({
    id: 'event',
    path: '/events',
    fields: {
      organization_id,
      subject: jsonField,
      verb: sortableField(textField),
      object: jsonField,
      reason: optionalText,
      created_at,
      occurred_at: sortableField(timeField),
      recorded_at: sortableField(timeField),
    },
    filters: eventFilters,
    expands: eventExpands,
  }),
  webhook: resource({
    id: 'webhook',
    path: '/webhooks',
    fields: {
      ...described,
      url: sortableField(textField),
      filter: jsonField,
      expand: jsonField,
      is_enabled: booleanField,
      failing_since: nullableField(timeField),
    },
  }),
  webhook_delivery: resource({
    id: 'webhook_delivery',
    path: '/webhooks/{webhook_id}/deliveries',
    fields: {
      organization_id,
      webhook_id: referenceTo('webhook'),
      event_id: referenceTo('event'),
      created_at,
      status: textField,
      attempts: numberField,
      request_url: optionalText,
      response_status: nullableField(numberField),
      response_body: optionalText,
      error: optionalText,
      note: optionalText,
      duration_ms: nullableField(numberField),
      last_attempt_at: nullableField(timeField),
      next_attempt_at: nullableField(timeField),
    },
    filters: webhookDeliveryFilters,
  }),
  tag: resource({ id: 'tag', path: '/tags', fields: { ...described, name, color: optionalText } }),
  user: resource({ id: 'user', fields: { email: textField, name: textField } }),
  oauth_application: resource({ id: 'oauth_application', fields: { name: textField } }),
};
