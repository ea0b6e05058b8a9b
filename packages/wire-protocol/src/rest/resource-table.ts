import type { IdKind } from '@lintel/access-core/ids';
import { eventExpands, type ExpandSpecs, expandsOfFields, many } from './resource-expands.ts';
import {
  type Fields,
  flag,
  json,
  nullable,
  number,
  plainId,
  type ResourceType,
  reference,
  sortable,
  tags,
  text,
  time,
} from './resource-fields.ts';
import { deliveryFilters, eventFilters, type FilterSpecs, filtersOfFields, memberFilters } from './resource-filters.ts';

export type { ResourceType };

export interface Resource {
  /** Null where ids have no prefix of the table of ids. */
  readonly idKind: IdKind | null;
  /** Of the list, relative to the base address; null for what is seen through expands only. */
  readonly path: string | null;
  readonly fields: Fields;
  readonly defaultSort: { readonly field: string; readonly direction: 'asc' | 'desc' };
  /** Whether the list takes `q`. */
  readonly searchable: boolean;
  readonly filters: FilterSpecs;
  readonly expands: ExpandSpecs;
}

interface Declared {
  readonly id?: IdKind;
  readonly path?: string;
  readonly fields: Fields;
  readonly searchable?: true;
  readonly filters?: FilterSpecs;
  readonly expands?: ExpandSpecs;
}

const resource = ({ id, path, fields, searchable, filters, expands }: Declared): Resource => ({
  idKind: id ?? null,
  path: path ?? null,
  fields: { id: sortable(plainId), ...fields },
  defaultSort: { field: 'created_at' in fields ? 'created_at' : 'id', direction: 'desc' },
  searchable: searchable ?? false,
  filters: { ...filtersOfFields(fields), ...filters },
  expands: { ...expandsOfFields(fields), ...expands },
});

const name = sortable(text);
const optionalText = nullable(text);
const created_at = sortable(time);
const bound = sortable(nullable(time));
const organization_id = reference('organization');
const described = { organization_id, is_deleted: flag, created_at, metadata: json };
const ofMember = { ...described, member_id: reference('member') };

/** What each object has, and how its lists are filtered, sorted, searched and expanded. */
export const resourceTable: Readonly<Record<ResourceType, Resource>> = {
  organization: resource({
    id: 'organization',
    path: '/organization',
    fields: { name, is_deleted: flag, created_at, metadata: json },
  }),
  site: resource({
    id: 'site',
    path: '/sites',
    fields: {
      ...described,
      name,
      geo: nullable(json),
      map: nullable(json),
      phone: optionalText,
      email: optionalText,
      info: optionalText,
      timezone: optionalText,
      tag_ids: tags,
    },
    expands: { gadgets: many('gadget', 'site_id'), devices: many('device', 'site_id') },
  }),
  product: resource({ path: '/products', fields: { name } }),
  device: resource({
    id: 'device',
    path: '/devices',
    fields: {
      ...described,
      name,
      site_id: reference('site'),
      hardware_id: nullable(plainId),
      product_id: reference('product'),
      revision_id: nullable(plainId),
      input_rules: json,
      capabilities: json,
      status: json,
      tag_ids: tags,
    },
    expands: { gadgets: many('gadget', 'device_id') },
  }),
  gadget: resource({
    id: 'gadget',
    path: '/gadgets',
    fields: {
      ...described,
      site_id: reference('site'),
      device_id: reference('device'),
      name,
      actions: json,
      states: json,
      signals: json,
      state_id: nullable(plainId),
      tag_ids: tags,
    },
  }),
  gadget_trigger: resource({
    id: 'gadget_trigger',
    path: '/gadget_triggers',
    fields: {
      ...described,
      site_id: reference('site'),
      source_type: text,
      source_gadget_id: nullable(reference('gadget')),
      source_state_id: nullable(plainId),
      source_signal_id: nullable(plainId),
      source_schedule_id: nullable(reference('schedule')),
      source_schedule_event: optionalText,
      target_gadget_id: reference('gadget'),
      target_action_id: plainId,
    },
  }),
  member: resource({
    id: 'member',
    path: '/members',
    fields: { ...described, name, starts_at: bound, ends_at: bound, tag_ids: tags, language: optionalText },
    filters: memberFilters,
    expands: {
      emails: many('member_email', 'member_id'),
      magic_links: many('member_magic_link', 'member_id'),
      pins: many('member_pin', 'member_id'),
      cards: many('member_card', 'member_id'),
      tokens: many('member_token', 'member_id'),
      group_associations: many('member_group_association', 'member_id'),
    },
  }),
  member_email: resource({
    id: 'member_email',
    path: '/members/{member_id}/emails',
    fields: { ...ofMember, email: sortable(text) },
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
    fields: { ...ofMember, length: sortable(number) },
  }),
  member_card: resource({
    id: 'member_card',
    path: '/members/{member_id}/cards',
    fields: {
      ...ofMember,
      card_id: reference('card'),
      uid: optionalText,
      printed_code: optionalText,
      name: optionalText,
    },
  }),
  member_token: resource({ id: 'member_token', path: '/members/{member_id}/tokens', fields: ofMember }),
  member_group_association: resource({
    id: 'member_group_association',
    path: '/members/{member_id}/group_associations',
    fields: { ...ofMember, member_group_id: reference('member_group'), starts_at: bound, ends_at: bound },
  }),
  member_group: resource({
    id: 'member_group',
    path: '/member_groups',
    fields: { ...described, name, permissions: json, tag_ids: tags },
    searchable: true,
  }),
  schedule: resource({
    id: 'schedule',
    path: '/schedules',
    fields: { ...described, name, weekdays: json },
    searchable: true,
  }),
  card: resource({
    id: 'card',
    path: '/cards',
    fields: {
      ...described,
      name,
      uid: sortable(optionalText),
      printed_code: sortable(optionalText),
    },
  }),
  event: resource({
    id: 'event',
    path: '/events',
    fields: {
      organization_id,
      subject: json,
      verb: sortable(text),
      object: json,
      reason: optionalText,
      created_at,
      occurred_at: sortable(time),
      recorded_at: sortable(time),
    },
    filters: eventFilters,
    expands: eventExpands,
  }),
  webhook: resource({
    id: 'webhook',
    path: '/webhooks',
    fields: { ...described, url: sortable(text), filter: json, expand: json, is_enabled: flag },
  }),
  webhook_delivery: resource({
    id: 'webhook_delivery',
    path: '/webhooks/{webhook_id}/deliveries',
    fields: {
      organization_id,
      webhook_id: reference('webhook'),
      event_id: reference('event'),
      created_at,
      status: text,
      attempts: number,
      request_url: optionalText,
      response_status: nullable(number),
      response_body: optionalText,
      error: optionalText,
      duration_ms: nullable(number),
      last_attempt_at: nullable(time),
      next_attempt_at: nullable(time),
    },
    filters: deliveryFilters,
  }),
  tag: resource({ id: 'tag', path: '/tags', fields: { ...described, name, color: optionalText } }),
  user: resource({ id: 'user', fields: { email: text, name: text } }),
  oauth_application: resource({ id: 'oauth_application', fields: { name: text } }),
};
