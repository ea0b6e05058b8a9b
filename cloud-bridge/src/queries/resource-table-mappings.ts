import { eventObjectTypes, eventSubjectTypes } from '@lintel/wire-protocol/rest/event-verbs-and-object-types';
import { type ResourceField, type ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import { resourceDefinitions } from '@lintel/wire-protocol/rest/resource-definitions';
import { type SqlFragment, sqlFragment, joinSql, rawSql } from '../storage/sql-fragment.ts';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import { createIsoTimeFormatter, type IsoTimeFormatter } from './iso-time-formatter.ts';
import { type DatabaseRow, createRowSerializer } from './serialize-rows-to-json.ts';
import type { ResourceViewer } from './resource-viewer-identity.ts';

export type ApiObject = Record<string, unknown>;

/** The table of a resource type and the conversion of its rows to API objects. The table alias is `t`. */
export interface ResourceTableMapping {
  readonly table: SqlFragment;
  readonly columns: SqlFragment;
  /** The column for filtering and sorting by an API field. */
  column(field: string): SqlFragment;
  readonly toObjects: (rows: readonly DatabaseRow[]) => ApiObject[];
  /** Like `toObjects`, but serialized. */
  readonly toJsonTexts: (rows: readonly DatabaseRow[]) => string[];
  /** Condition for rows that the viewer may see. */
  readonly visibleTo: (viewer: ResourceViewer) => SqlFragment;
}

const MICROSECONDS = 1000;

/** Six decimals, because `recorded_at` orders events within one millisecond. */
const isoMicroseconds = (microseconds: number, time: IsoTimeFormatter): string => {
  const text = time(Math.floor(microseconds / MICROSECONDS));
  return `${text.slice(0, -1)}${String(microseconds % MICROSECONDS).padStart(3, '0')}Z`;
};

type Convert = (value: unknown, time: IsoTimeFormatter) => unknown;

const converters: Readonly<Record<ResourceField['kind'], Convert | null>> = {
  id: null,
  string: null,
  number: null,
  boolean: value => value === 1,
  instant: (value, time) => time(value as number),
  json: value => (value === '{}' ? {} : (JSON.parse(value as string) as unknown)),
  ids: value => (value === '[]' ? [] : (JSON.parse(value as string) as unknown)),
};

const objectMapper = (fields: Readonly<Record<string, ResourceField>>): ResourceTableMapping['toObjects'] => {
  const steps = Object.entries(fields).map(([name, field]) => ({ name, convert: converters[field.kind] }));
  return rows => {
    const time = createIsoTimeFormatter();
    return rows.map(row => {
      const object: ApiObject = {};
      for (const { name, convert } of steps) {
        const value = row[name];
        object[name] = convert === null || value === null ? value : convert(value, time);
      }
      return object;
    });
  };
};

const inOrganization = ({ organizationId }: ResourceViewer): SqlFragment =>
  sqlFragment`t.organization_id = ${organizationId}`;

/** Limits technicians to their own sites. */
const atSite =
  (column: string) =>
  (viewer: ResourceViewer): SqlFragment => {
    const { siteIds } = viewer;
    if (siteIds === undefined || siteIds === null) return inOrganization(viewer);
    if (siteIds.length === 0) return sqlFragment`1 = 0`;
    const own = joinSql(
      siteIds.map(id => sqlFragment`${id}`),
      ', ',
    );
    return sqlFragment`${inOrganization(viewer)} and ${rawSql(column)} in (${own})`;
  };

/** Expects a field of the resource table. Rejects anything else, to prevent SQL injection. */
const plainColumn = (field: string): SqlFragment => {
  if (!/^[a-z_]+$/.test(field)) throw new Error(`Invalid column name: ${field}`);
  return rawSql(`t."${field}"`);
};

interface MappingOptions {
  readonly computed?: Readonly<Record<string, SqlFragment>>;
  readonly visible?: ResourceTableMapping['visibleTo'];
  readonly table?: SqlFragment;
}

/** Maps a table by the fields of the resource table. `computed` fields are SQL expressions. */
const createMapping = (
  type: ResourceType,
  table: string,
  { computed = {}, visible = inOrganization, table: from = rawSql(`"${table}" as t`) }: MappingOptions = {},
): ResourceTableMapping => {
  const { fields } = resourceDefinitions[type];
  const columns = Object.keys(fields).map(name => {
    const expression = computed[name];
    return expression === undefined ? plainColumn(name) : sqlFragment`${expression} as ${rawSql(`"${name}"`)}`;
  });
  return {
    table: from,
    columns: joinSql(columns, ', '),
    column: plainColumn,
    toObjects: objectMapper(fields),
    toJsonTexts: createRowSerializer(fields),
    visibleTo: visible,
  };
};

const cardColumn = (column: string): SqlFragment =>
  rawSql(`(select c."${column}" from cards as c where c.id = t.card_id and c.organization_id = t.organization_id)`);

/** A product shipped with the bridge hides an organization's own product with the same id. */
const products = rawSql(`(select id, name, null as organization_id from products
  union all select own.id, own.name, own.organization_id from organization_products as own
  where not exists (select 1 from products as shipped where shipped.id = own.id)) as t`);

const shippedOrOwn = ({ organizationId }: ResourceViewer): SqlFragment =>
  sqlFragment`(t.organization_id is null or t.organization_id = ${organizationId})`;

const webhookOwnerOf = ({ applicationId, managedApplicationId }: ResourceViewer): string | null =>
  managedApplicationId ?? applicationId;

const visibleToEveryone = (): SqlFragment => sqlFragment`1 = 1`;

const eventFieldsWithPrefix = (row: DatabaseRow, prefix: 'subject_' | 'object_'): ApiObject => {
  const fields: ApiObject = {};
  for (const name in row) {
    if (!name.startsWith(prefix) || row[name] === null) continue;
    fields[name.slice(prefix.length)] = name === 'subject_client' ? JSON.parse(row[name] as string) : row[name];
  }
  return fields;
};

export const toEventApiObject = (row: DatabaseRow, time = createIsoTimeFormatter()): ApiObject => {
  const subject = eventFieldsWithPrefix(row, 'subject_');
  if (row['time_trusted'] !== null) subject['time_trusted'] = row['time_trusted'] === 1;
  const occurredAt = time(row['created_at'] as number);
  return {
    id: row['id'],
    organization_id: row['organization_id'],
    subject,
    verb: row['verb'],
    object: eventFieldsWithPrefix(row, 'object_'),
    ...(row['reason'] === null ? {} : { reason: row['reason'] }),
    ...(row['details'] === null ? {} : { details: JSON.parse(row['details'] as string) }),
    created_at: occurredAt,
    occurred_at: occurredAt,
    recorded_at: isoMicroseconds(row['recorded_at'] as number, time),
  };
};

const eventObjects = (rows: readonly DatabaseRow[]): ApiObject[] => {
  const time = createIsoTimeFormatter();
  return rows.map(row => toEventApiObject(row, time));
};

/** Listed explicitly, because a prepared `t.*` fails when a newer bridge adds a column. */
const eventColumns = [
  'id',
  'organization_id',
  'created_at',
  'recorded_at',
  'verb',
  'reason',
  'details',
  'time_trusted',
  ...eventSubjectTypes.map(type => `subject_${type}_id` as const),
  'subject_access_method',
  'subject_ip_address',
  'subject_client',
  'object_type',
  ...eventObjectTypes.map(type => `object_${type}_id` as const),
] as const satisfies ReadonlyArray<keyof OrganizationEventRow>;

const events: ResourceTableMapping = {
  table: rawSql('events as t'),
  columns: joinSql(eventColumns.map(plainColumn), ', '),
  column: field => plainColumn(field === 'occurred_at' ? 'created_at' : field.replace('.', '_')),
  toObjects: eventObjects,
  toJsonTexts: rows => eventObjects(rows).map(event => JSON.stringify(event)),
  visibleTo: inOrganization,
};

export const resourceTableMappings: Readonly<Record<ResourceType, ResourceTableMapping>> = {
  organization: createMapping('organization', 'organizations', {
    visible: ({ organizationId }) => sqlFragment`t.id = ${organizationId}`,
  }),
  site: createMapping('site', 'sites', { visible: atSite('t.id') }),
  product: createMapping('product', 'products', { table: products, visible: shippedOrOwn }),
  device: createMapping('device', 'devices', { visible: atSite('t.site_id') }),
  gadget: createMapping('gadget', 'gadgets', { visible: atSite('t.site_id') }),
  gadget_trigger: createMapping('gadget_trigger', 'gadget_triggers', { visible: atSite('t.site_id') }),
  member: createMapping('member', 'members'),
  member_email: createMapping('member_email', 'member_emails'),
  member_magic_link: createMapping('member_magic_link', 'member_magic_links'),
  member_pin: createMapping('member_pin', 'member_pins'),
  member_card: createMapping('member_card', 'member_cards', {
    computed: { uid: cardColumn('uid'), printed_code: cardColumn('printed_code'), name: cardColumn('name') },
  }),
  member_token: createMapping('member_token', 'member_tokens'),
  member_group_association: createMapping('member_group_association', 'member_group_associations'),
  member_group: createMapping('member_group', 'member_groups'),
  schedule: createMapping('schedule', 'schedules'),
  card: createMapping('card', 'cards'),
  event: events,
  webhook: createMapping('webhook', 'webhooks', {
    visible: viewer =>
      sqlFragment`t.organization_id = ${viewer.organizationId} and t.oauth_application_id = ${webhookOwnerOf(viewer)}`,
  }),
  webhook_delivery: createMapping('webhook_delivery', 'webhook_deliveries', {
    visible: viewer =>
      sqlFragment`t.organization_id = ${viewer.organizationId} and t.webhook_id in (
        select w.id from webhooks as w where w.oauth_application_id = ${webhookOwnerOf(viewer)})`,
  }),
  tag: createMapping('tag', 'tags'),
  user: createMapping('user', 'users', {
    visible: ({ organizationId }) =>
      sqlFragment`t.id in (select user_id from organization_users where organization_id = ${organizationId})`,
  }),
  oauth_application: createMapping('oauth_application', 'oauth_applications', { visible: visibleToEveryone }),
};
