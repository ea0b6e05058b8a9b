import { mustBeOneOf } from '@lintel/access-core/problem-texts';
import { idPrefixes, parseIdKind, type IdKind } from '@lintel/access-core/ids';
import { parseInstant } from '@lintel/access-core/instant';
import { auditedObjects, auditEntryResponseSchema } from '@lintel/wire-protocol/admin/audit-entry';
import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import { listPageSchema } from '@lintel/wire-protocol/rest/list-page';
import { eventVerbs } from '@lintel/wire-protocol/rest/event-verbs-and-object-types';
import { type RawBuilder, sql } from 'kysely';
import { hasPermission } from '../../accounts/role-permissions.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { unwrapOrThrow, createInvalidParameterError } from '../../http/api-error.ts';
import { parseExpandQuery } from '../../queries/resource-reader.ts';
import { toEventApiObject } from '../../queries/resource-table-mappings.ts';
import { buildIdInExpression } from '../../queries/sql-conditions.ts';
import type { OrganizationEventRow } from '../../storage/event-schema.ts';
import { eventIndexConditions } from '../../storage/partial-event-index-conditions.ts';
import type { Database } from '../../storage/schema.ts';
import type { RecordedChanges } from '../../transactions/recorded-changes.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { type PageRequest, pageQueryParameterDescriptions, paginateById } from '../paginated-list-endpoint.ts';

const MOST_OBJECTS = 50;
const MOST_FOUND = 500;

const parameters = {
  object: `Ids of members, groups, schedules, doors, controllers or sites, separated by commas, at most ${MOST_OBJECTS}: what was changed about them, by anyone`,
  user: 'Id of the user who did it',
  application: 'Id of the application that did it',
  kind: eventVerbs.join(', '),
  from: 'Not before this time',
  until: 'Before this time',
  q: 'Part of the name of the object, or of who did it',
};

/** Names for the sentences about events, as in the console. */
const EXPAND = { expand: auditedObjects.join(',') };

/** Objects whose history can be asked for, with the condition for the events about them. */
const historyColumns: Readonly<Partial<Record<IdKind, string>>> = {
  member: 'object_member_id',
  member_group: 'object_member_group_id',
  schedule: 'object_schedule_id',
  gadget: 'object_gadget_id',
  device: 'object_device_id',
  site: 'object_site_id',
};
/** Other events name these objects too, such as the door of each opening and the site of each door. */
const ownTypesOnly: ReadonlySet<IdKind> = new Set(['site', 'device', 'gadget']);

/** Reports of devices, which nobody did. */
const reports = ['online', 'offline', 'status', 'fault', 'events_lost'];

/** Tables with names, and the columns of events that refer to them. */
const namedTables: readonly (readonly [table: keyof Database, name: string, columns: readonly string[]])[] = [
  ['members', 'name', ['object_member_id', 'subject_member_id']],
  ['member_groups', 'name', ['object_member_group_id']],
  ['schedules', 'name', ['object_schedule_id']],
  ['gadgets', 'name', ['object_gadget_id']],
  ['devices', 'name', ['object_device_id']],
  ['tags', 'name', ['object_tag_id']],
];

const permissionFor = (type: string): AdminPermission => {
  if (type.startsWith('member') && type !== 'member_group') return 'members.read';
  const byType: Readonly<Record<string, AdminPermission>> = {
    member_group: 'member_groups.read',
    schedule: 'schedules.read',
    site: 'sites.read',
    device: 'devices.read',
    gadget: 'gadgets.read',
    gadget_trigger: 'gadget_triggers.read',
    card: 'cards.read',
    tag: 'tags.read',
    organization: 'organization.read',
    user: 'users.read',
  };
  return byType[type] ?? 'applications.read';
};

/** What the caller may also read at the object itself. */
const visibleChanges = (caller: AdminCaller, row: OrganizationEventRow): RecordedChanges | null => {
  if (row.changes === null || !hasPermission(caller, permissionFor(row.object_type))) return null;
  const { input_rules, ...changes } = JSON.parse(row.changes) as Record<string, readonly [unknown, unknown]>;
  const isShown = input_rules !== undefined && hasPermission(caller, 'input_rules.read');
  return isShown ? { ...changes, input_rules } : changes;
};

const keptFields: ReadonlySet<string> = new Set(['name', 'email', 'actions', 'states', 'signals']);

/** Of the objects around a change only their names: numbers of cards and other details are not for a log. */
const keepNames = (entry: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(entry).map(([field, value]) => {
      if (!/^(?:subject|object)_/.test(field) || typeof value !== 'object' || value === null) return [field, value];
      return [field, Object.fromEntries(Object.entries(value).filter(([name]) => keptFields.has(name)))];
    }),
  );

const collectIds = (value: unknown, ids: Set<string>): void => {
  if (typeof value === 'string') {
    if (parseIdKind(value) !== null) ids.add(value);
  } else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) collectIds(part, ids);
};

/** Names of the objects in the changes, also of deleted ones. */
const loadNames = async (
  { storage: { reader, engine } }: BridgeServices,
  organizationId: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>();
  for (const table of ['member_groups', 'schedules', 'gadgets', 'devices', 'sites', 'tags'] as const) {
    const prefix = idPrefixes[table.slice(0, -1) as IdKind];
    const wanted = [...ids].filter(id => id.startsWith(prefix));
    if (wanted.length === 0) continue;
    const { rows } = await sql<{ id: string; name: string }>`select id, name from ${sql.table(table)}
      where organization_id = ${organizationId} and ${buildIdInExpression(engine, sql`id`, wanted)}`.execute(reader);
    for (const { id, name } of rows) names.set(id, name);
  }
  return names;
};

const objectCondition = (services: BridgeServices, text: string): RawBuilder<unknown> => {
  const ids = text.split(',');
  if (ids.length > MOST_OBJECTS) throw createInvalidParameterError('object', `must have at most ${MOST_OBJECTS} ids`);
  const byKind = Map.groupBy(ids, id => {
    const kind = parseIdKind(id);
    if (kind === null || historyColumns[kind] === undefined)
      throw createInvalidParameterError(
        'object',
        `must have ids of objects with a history. ${id.slice(0, 40)} is not one`,
      );
    return kind;
  });
  const alternatives = [...byKind].map(([kind, some]) => {
    const column = sql.ref(`e.${historyColumns[kind]!}`);
    // An equality and a literal, so that the database uses the partial index of the column.
    const condition =
      some.length === 1 ? sql`${column} = ${some[0]!}` : buildIdInExpression(services.storage.engine, column, some);
    return ownTypesOnly.has(kind) ? sql`(${condition} and e.object_type = ${sql.lit(kind)})` : condition;
  });
  return sql`(${sql.join(alternatives, sql` or `)}) and e.verb in ('create', 'edit', 'delete', 'reveal')`;
};

const searchCondition = async (
  { storage: { reader, engine } }: BridgeServices,
  organizationId: string,
  text: string,
): Promise<RawBuilder<unknown>> => {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, found => `\\${found}`)}%`;
  const alternatives: RawBuilder<unknown>[] = [];
  const add = (ids: readonly string[], columns: readonly string[]): void => {
    if (ids.length === 0) return;
    for (const column of columns) alternatives.push(buildIdInExpression(engine, sql.ref(`e.${column}`), ids));
  };
  for (const [table, name, columns] of namedTables) {
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
      where organization_id = ${organizationId} and lower(${sql.ref(name)}) like ${pattern} escape '\\'
      limit ${MOST_FOUND}`.execute(reader);
    add(
      rows.map(({ id }) => id),
      columns,
    );
  }
  const sites = await sql<{ id: string }>`select id from sites
    where organization_id = ${organizationId} and lower(name) like ${pattern} escape '\\'`.execute(reader);
  if (sites.rows.length > 0)
    alternatives.push(
      sql`(e.object_type = 'site' and ${buildIdInExpression(
        engine,
        sql`e.object_site_id`,
        sites.rows.map(({ id }) => id),
      )})`,
    );
  const users = await sql<{ id: string }>`select u.id from users as u
    join organization_users as o on o.user_id = u.id and o.organization_id = ${organizationId}
    where lower(u.name) like ${pattern} escape '\\' or lower(u.email) like ${pattern} escape '\\'`.execute(reader);
  add(
    users.rows.map(({ id }) => id),
    ['subject_user_id', 'object_user_id'],
  );
  const applications = await sql<{ id: string }>`select a.id from oauth_applications as a
    where (a.organization_id is null or a.organization_id = ${organizationId} or exists (
        select 1 from oauth_grants as g where g.oauth_application_id = a.id and g.organization_id = ${organizationId}))
      and lower(a.name) like ${pattern} escape '\\' limit ${MOST_FOUND}`.execute(reader);
  add(
    applications.rows.map(({ id }) => id),
    ['subject_oauth_application_id', 'object_oauth_application_id'],
  );
  return alternatives.length === 0 ? sql`1 = 0` : sql`(${sql.join(alternatives, sql` or `)})`;
};

const readPage = async (
  services: BridgeServices,
  { organizationId }: AdminCaller,
  { before, count, filters }: PageRequest,
): Promise<readonly OrganizationEventRow[]> => {
  const { object, user, application, kind, from, until, q } = filters;
  const conditions: RawBuilder<unknown>[] = [
    sql`e.organization_id = ${organizationId}`,
    sql`e.object_type not in ('gadget_state', 'gadget_signal')`,
    sql`(e.reason is null or e.reason not in (${sql.join(reports)}))`,
    object === undefined ? sql.raw(eventIndexConditions.ofAccounts) : objectCondition(services, object),
  ];
  if (user !== undefined) conditions.push(sql`e.subject_user_id = ${user}`);
  if (application !== undefined) conditions.push(sql`e.subject_oauth_application_id = ${application}`);
  if (kind !== undefined) {
    if (!(eventVerbs as readonly string[]).includes(kind))
      throw createInvalidParameterError('kind', mustBeOneOf(eventVerbs));
    conditions.push(sql`e.verb = ${kind}`);
  }
  if (from !== undefined)
    conditions.push(sql`e.created_at >= ${unwrapOrThrow(parseInstant(from, 'from'), 'parameter')}`);
  if (until !== undefined)
    conditions.push(sql`e.created_at < ${unwrapOrThrow(parseInstant(until, 'until'), 'parameter')}`);
  if (q !== undefined && q.trim() !== '') conditions.push(await searchCondition(services, organizationId, q.trim()));
  if (before !== null)
    conditions.push(
      sql`(e.created_at, e.id) < ((select b.created_at from events as b where b.id = ${before}), ${before})`,
    );
  const { rows } = await sql<OrganizationEventRow>`select e.* from events as e
    where ${sql.join(conditions, sql` and `)}
    order by e.created_at desc, e.id desc limit ${count}`.execute(services.storage.reader);
  return rows;
};

/** What people and applications changed, with the values before and after, and what they viewed and opened. */
export const createAuditLogEndpoint = (services: BridgeServices): AdminEndpoint =>
  defineAdminEndpoint({
    requiredPermission: 'events.read',
    method: 'GET',
    path: `${ORGANIZATION_PATH_PREFIX}/audit`,
    tag: 'Events',
    operationId: 'listAuditEntries',
    summary: 'List what was changed, with the values before and after, or the history of an object',
    response: listPageSchema(auditEntryResponseSchema),
    query: { ...pageQueryParameterDescriptions, ...parameters },
    handle: async ({ caller, reader, query }) => {
      const changes = new Map<string, RecordedChanges | null>();
      const page = await paginateById<OrganizationEventRow>(query, {
        name: `audit log of ${caller.organizationId}`,
        filters: Object.keys(parameters),
        read: request => readPage(services, caller, request),
        idOf: ({ id }) => id,
        toObject: row => {
          changes.set(row.id, visibleChanges(caller, row));
          return toEventApiObject(row as never);
        },
      });
      const ids = new Set<string>();
      for (const change of changes.values()) collectIds(change, ids);
      const names = await loadNames(services, caller.organizationId, ids);
      const data = page.data.map(event => {
        const own = new Set<string>();
        const changed = changes.get(String(event['id'])) ?? null;
        collectIds(changed, own);
        const known = [...own].flatMap(id => (names.has(id) ? [[id, names.get(id)!] as const] : []));
        return { ...event, changes: changed, names: Object.fromEntries(known) };
      });
      await reader.expand(caller, data, parseExpandQuery('event', EXPAND));
      const none = { reason: null, details: null, ...Object.fromEntries(auditedObjects.map(field => [field, null])) };
      return { ...page, data: data.map(entry => keepNames({ ...none, ...entry })) };
    },
  });
