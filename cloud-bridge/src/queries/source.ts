import { eventObjectTypes, eventSubjects } from '@lintel/wire-protocol/rest/event-terms';
import { type Field, type ResourceType } from '@lintel/wire-protocol/rest/resource-fields';
import { resourceTable } from '@lintel/wire-protocol/rest/resource-table';
import { type Fragment, fragment, joinFragments, rawFragment } from '../storage/fragment.ts';
import type { EventRow } from '../storage/schema.ts';
import { isoTimeFormat, type TimeFormat } from './iso-time.ts';
import { type Row, textMapper } from './json-text.ts';
import type { Viewer } from './viewer.ts';

export type { Row };

export type ApiObject = Record<string, unknown>;

/** Where the objects of a type are kept and how a row becomes what the API shows. Rows are called `t`. */
export interface Source {
  readonly table: Fragment;
  readonly columns: Fragment;
  /** The column that an API field is filtered and sorted by. */
  column(field: string): Fragment;
  readonly toObjects: (rows: readonly Row[]) => ApiObject[];
  /** The same as JSON. */
  readonly toTexts: (rows: readonly Row[]) => string[];
  /** Only rows for which this holds exist for the viewer. */
  readonly visible: (viewer: Viewer) => Fragment;
}

const MICROSECONDS = 1000;

/** Six digits after the point: `recorded_at` tells events of one millisecond apart. */
const isoMicroseconds = (microseconds: number, time: TimeFormat): string => {
  const text = time(Math.floor(microseconds / MICROSECONDS));
  return `${text.slice(0, -1)}${String(microseconds % MICROSECONDS).padStart(3, '0')}Z`;
};

type Convert = (value: unknown, time: TimeFormat) => unknown;

const converters: Readonly<Record<Field['kind'], Convert | null>> = {
  id: null,
  string: null,
  number: null,
  boolean: value => value === 1,
  instant: (value, time) => time(value as number),
  json: value => (value === '{}' ? {} : (JSON.parse(value as string) as unknown)),
  ids: value => (value === '[]' ? [] : (JSON.parse(value as string) as unknown)),
};

const objectMapper = (fields: Readonly<Record<string, Field>>): Source['toObjects'] => {
  const steps = Object.entries(fields).map(([name, field]) => ({ name, convert: converters[field.kind] }));
  return rows => {
    const time = isoTimeFormat();
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

const ofOrganization = ({ organizationId }: Viewer): Fragment => fragment`t.organization_id = ${organizationId}`;

/** What lies at a site, seen by a technician at their own sites only. */
const atSite =
  (column: string) =>
  (viewer: Viewer): Fragment => {
    const { siteIds } = viewer;
    if (siteIds === undefined || siteIds === null) return ofOrganization(viewer);
    if (siteIds.length === 0) return fragment`1 = 0`;
    const own = joinFragments(
      siteIds.map(id => fragment`${id}`),
      ', ',
    );
    return fragment`${ofOrganization(viewer)} and ${rawFragment(column)} in (${own})`;
  };

/** Only names of the resource table come here; whatever does not look like one is no column. */
const plainColumn = (field: string): Fragment => {
  if (!/^[a-z_]+$/.test(field)) throw new Error(`${field} is not the name of a column`);
  return rawFragment(`t."${field}"`);
};

interface Special {
  readonly computed?: Readonly<Record<string, Fragment>>;
  readonly visible?: Source['visible'];
  readonly table?: Fragment;
}

/** A table with the columns that the resource table names; `computed` ones are expressions. */
const source = (
  type: ResourceType,
  table: string,
  { computed = {}, visible = ofOrganization, table: from = rawFragment(`"${table}" as t`) }: Special = {},
): Source => {
  const { fields } = resourceTable[type];
  const columns = Object.keys(fields).map(name => {
    const expression = computed[name];
    return expression === undefined ? plainColumn(name) : fragment`${expression} as ${rawFragment(`"${name}"`)}`;
  });
  return {
    table: from,
    columns: joinFragments(columns, ', '),
    column: plainColumn,
    toObjects: objectMapper(fields),
    toTexts: textMapper(fields),
    visible,
  };
};

const ofItsCard = (column: string): Fragment =>
  rawFragment(`(select c."${column}" from cards as c where c.id = t.card_id)`);

/** A product that comes with a newer bridge hides one of the same id that an organization had made before. */
const products = rawFragment(`(select id, name, null as organization_id from products
  union all select own.id, own.name, own.organization_id from organization_products as own
  where not exists (select 1 from products as shipped where shipped.id = own.id)) as t`);

const shippedOrOwn = ({ organizationId }: Viewer): Fragment =>
  fragment`(t.organization_id is null or t.organization_id = ${organizationId})`;

const everyone = (): Fragment => fragment`1 = 1`;

const eventParts = (row: Row, prefix: 'subject_' | 'object_'): ApiObject => {
  const part: ApiObject = {};
  for (const name in row) {
    if (!name.startsWith(prefix) || row[name] === null) continue;
    part[name.slice(prefix.length)] = name === 'subject_client' ? JSON.parse(row[name] as string) : row[name];
  }
  return part;
};

export const eventObject = (row: Row, time = isoTimeFormat()): ApiObject => {
  const subject = eventParts(row, 'subject_');
  if (row['time_trusted'] !== null) subject['time_trusted'] = row['time_trusted'] === 1;
  const happened = time(row['created_at'] as number);
  return {
    id: row['id'],
    organization_id: row['organization_id'],
    subject,
    verb: row['verb'],
    object: eventParts(row, 'object_'),
    ...(row['reason'] === null ? {} : { reason: row['reason'] }),
    created_at: happened,
    occurred_at: happened,
    recorded_at: isoMicroseconds(row['recorded_at'] as number, time),
  };
};

const eventObjects = (rows: readonly Row[]): ApiObject[] => {
  const time = isoTimeFormat();
  return rows.map(row => eventObject(row, time));
};

/** Named one by one: a prepared `t.*` fails when a newer bridge adds a column. */
const eventColumns = [
  'id',
  'organization_id',
  'created_at',
  'recorded_at',
  'verb',
  'reason',
  'time_trusted',
  ...eventSubjects.map(what => `subject_${what}_id` as const),
  'subject_access_method',
  'subject_ip_address',
  'subject_client',
  'object_type',
  ...eventObjectTypes.map(what => `object_${what}_id` as const),
] as const satisfies ReadonlyArray<keyof EventRow>;

const events: Source = {
  table: rawFragment('events as t'),
  columns: joinFragments(eventColumns.map(plainColumn), ', '),
  column: field => plainColumn(field === 'occurred_at' ? 'created_at' : field.replace('.', '_')),
  toObjects: eventObjects,
  toTexts: rows => eventObjects(rows).map(event => JSON.stringify(event)),
  visible: ofOrganization,
};

export const sources: Readonly<Record<ResourceType, Source>> = {
  organization: source('organization', 'organizations', {
    visible: ({ organizationId }) => fragment`t.id = ${organizationId}`,
  }),
  site: source('site', 'sites', { visible: atSite('t.id') }),
  product: source('product', 'products', { table: products, visible: shippedOrOwn }),
  device: source('device', 'devices', { visible: atSite('t.site_id') }),
  gadget: source('gadget', 'gadgets', { visible: atSite('t.site_id') }),
  gadget_trigger: source('gadget_trigger', 'gadget_triggers', { visible: atSite('t.site_id') }),
  member: source('member', 'members'),
  member_email: source('member_email', 'member_emails'),
  member_magic_link: source('member_magic_link', 'member_magic_links'),
  member_pin: source('member_pin', 'member_pins'),
  member_card: source('member_card', 'member_cards', {
    computed: { uid: ofItsCard('uid'), printed_code: ofItsCard('printed_code'), name: ofItsCard('name') },
  }),
  member_token: source('member_token', 'member_tokens'),
  member_group_association: source('member_group_association', 'member_group_associations'),
  member_group: source('member_group', 'member_groups'),
  schedule: source('schedule', 'schedules'),
  card: source('card', 'cards'),
  event: events,
  webhook: source('webhook', 'webhooks', {
    visible: viewer =>
      fragment`t.organization_id = ${viewer.organizationId} and t.oauth_application_id = ${viewer.applicationId}`,
  }),
  webhook_delivery: source('webhook_delivery', 'webhook_deliveries', {
    visible: viewer =>
      fragment`t.organization_id = ${viewer.organizationId} and t.webhook_id in (
        select w.id from webhooks as w where w.oauth_application_id = ${viewer.applicationId})`,
  }),
  tag: source('tag', 'tags'),
  user: source('user', 'users', {
    visible: ({ organizationId }) =>
      fragment`t.id in (select user_id from organization_users where organization_id = ${organizationId})`,
  }),
  oauth_application: source('oauth_application', 'oauth_applications', { visible: everyone }),
};

export type ReadableType = keyof typeof sources;
