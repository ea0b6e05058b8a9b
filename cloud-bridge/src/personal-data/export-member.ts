import type { PersonalDataResponse } from '@lintel/wire-protocol/admin/member-personal-data-export';
import type { ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { sql } from 'kysely';
import { type ApiObject, resourceTableMappings } from '../queries/resource-table-mappings.ts';
import type { ResourceReader } from '../queries/resource-reader.ts';
import { buildIdInExpression } from '../queries/sql-conditions.ts';
import type { ResourceViewer } from '../queries/resource-viewer-identity.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { WebhookDeliveryRow } from '../storage/webhook-and-schedule-trigger-schema.ts';

type Query = Readonly<Record<string, string>>;

/** All pages of a list. */
const listAll = async (
  reader: ResourceReader,
  type: ResourceType,
  viewer: ResourceViewer,
  query: Query,
  parent: Query = {},
): Promise<ApiObject[]> => {
  const objects: ApiObject[] = [];
  for (let cursor: Query = {}; ; ) {
    const page = await reader.listJson(type, viewer, { ...query, ...cursor, limit: '100' }, parent);
    const { data, cursor_next } = JSON.parse(page.text) as { data: ApiObject[]; cursor_next?: string };
    objects.push(...data);
    if (cursor_next === undefined) return objects;
    cursor = { cursor: cursor_next };
  }
};

const listEvents = async (reader: ResourceReader, viewer: ResourceViewer, memberId: string): Promise<ApiObject[]> => {
  const sort = 'recorded_at:asc';
  const own = await listAll(reader, 'event', viewer, { sort, 'subject.member_id': memberId });
  const about = await listAll(reader, 'event', viewer, { sort, 'object.member_id': memberId });
  const byId = new Map([...own, ...about].map(event => [event['id'], event]));
  return [...byId.values()].toSorted((a, b) => (String(a['recorded_at']) < String(b['recorded_at']) ? -1 : 1));
};

const EVENTS_PER_QUERY = 500;

const listDeliveries = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  organizationId: string,
  eventIds: readonly string[],
): Promise<ApiObject[]> => {
  const deliveries: ApiObject[] = [];
  for (let from = 0; from < eventIds.length; from += EVENTS_PER_QUERY) {
    const ids = eventIds.slice(from, from + EVENTS_PER_QUERY);
    const { rows } = await sql<WebhookDeliveryRow>`select d.* from webhooks as w
      join webhook_deliveries as d on d.webhook_id = w.id and ${buildIdInExpression(storage.engine, sql`d.event_id`, ids)}
      where w.organization_id = ${organizationId} order by d.id`.execute(storage.reader);
    deliveries.push(...resourceTableMappings.webhook_delivery.toObjects(rows.map(row => ({ ...row }))));
  }
  return deliveries;
};

/** All data about one member, for a request under data protection law. Throws 404 for an unknown member. */
export const exportMember = async (
  services: Pick<BridgeServices, 'storage' | 'reader' | 'clock'>,
  organizationId: string,
  memberId: string,
): Promise<PersonalDataResponse> => {
  const { reader, clock } = services;
  const viewer: ResourceViewer = { organizationId, applicationId: null };
  const ofMember = (type: ResourceType): Promise<ApiObject[]> =>
    listAll(reader, type, viewer, { is_deleted: 'any' }, { member_id: memberId });
  const member = await reader.get('member', viewer, memberId);
  const events = await listEvents(reader, viewer, memberId);
  const data = {
    exported_at: toDateTime(clock()),
    member,
    emails: await ofMember('member_email'),
    magic_links: await ofMember('member_magic_link'),
    pins: await ofMember('member_pin'),
    cards: await ofMember('member_card'),
    tokens: await ofMember('member_token'),
    group_associations: await ofMember('member_group_association'),
    events,
    deliveries: await listDeliveries(
      services,
      organizationId,
      events.map(event => String(event['id'])),
    ),
  };
  return data as unknown as PersonalDataResponse;
};
