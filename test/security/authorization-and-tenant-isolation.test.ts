import { getListFilterNames } from '@lintel/wire-protocol/rest/list-filter';
import { resourceDefinitions } from '@lintel/wire-protocol/rest/resource-definitions';
import { type Role, roles } from '@lintel/wire-protocol/admin/role';
import type { ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasPermission } from '@lintel/cloud-bridge/testing';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { type ApiBody, type TestDatabaseEngine, TestBridge } from '../support/bridge/test-bridge.ts';
import { iterations, runSeed } from '../support/test-iterations-and-seed.ts';
import { type ApiRoute, apiRoutes, registeredRoutes } from './api-routes.ts';
import { bodiesFor } from './request-bodies.ts';
import {
  foreignCombinationsOf,
  foreignParams,
  ForeignData,
  idPathsIn,
  send,
  urlOf,
  withForeignId,
} from './foreign-tenant-requests.ts';
import { createTenant, type Tenant } from './tenant-fixture.ts';

/** The name that the route would have in the public API. */
const publicNameOf = ({ name }: ApiRoute): string =>
  name.replace(/\/admin\/v1\/organizations\/:organization_id(?:\/applications\/:application_id(?=\/))?/, '/v2');

/** Registered routes that are in no endpoint table. Their own suites cover them. */
const otherRoutes = [
  'GET /v2/openapi.json',
  'GET /v2/events/stream',
  'GET /admin/v1/openapi.json',
  'GET /admin/v1/organizations/:organization_id/events/stream',
];

interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly kind: 'session' | 'token';
  /** The role in the own organization, also that in which a token acts; null without access. */
  readonly role: Role | null;
}

const tokenRoles = { full_read_write: 'administrator', full_read_only: 'viewer', offline: null } as const;

/** Callers of one organization: users with every role, a user without a role, and tokens with every scope. */
const callersOf = async (bridge: TestBridge, { organizationId, client, ids }: Tenant): Promise<Caller[]> => {
  const callers: Caller[] = [];
  for (const role of [...roles, null]) {
    const { headers } = await openAdminSession(
      bridge,
      organizationId,
      role,
      role === 'technician' ? [ids['site']!] : [],
    );
    callers.push({ name: role ?? 'user without a role', headers, kind: 'session', role });
  }
  for (const [scope, role] of Object.entries(tokenRoles)) {
    const { token } = await bridge.client(organizationId, client.applicationId, scope);
    callers.push({ name: `token ${scope}`, headers: { authorization: `Bearer ${token}` }, kind: 'token', role });
  }
  return callers;
};

const noCaller: Caller = { name: 'nobody', headers: {}, kind: 'token', role: null };

/** The status that a caller without the permission gets in its own organization; null for a caller that has it. */
const denialFor = ({ prefix, endpoint }: ApiRoute, { name, kind, role }: Caller): number | null => {
  if (name === 'nobody') return 401;
  if (kind === 'token' && role === null) return 403;
  if (prefix === '/v2') {
    if (kind === 'session') return 401;
    return endpoint.method === 'GET' || endpoint.isAllowedReadOnly === true || role === 'administrator' ? null : 403;
  }
  const { requiredPermission } = endpoint;
  if (requiredPermission === null) return null;
  if (role === null) return 404;
  return hasPermission({ role, isApplication: kind === 'token' }, requiredPermission) ? null : 403;
};

const suite = (engine: TestDatabaseEngine): void => {
  let bridge: TestBridge;
  const routes = apiRoutes;
  let own: Tenant;
  let other: Tenant;
  let callers: readonly Caller[];
  let otherBefore: readonly string[];
  let foreignData: ForeignData;

  beforeAll(async () => {
    bridge = await TestBridge.open({ engine });
    await bridge.app.ready();
    own = await createTenant(bridge, 'ownside');
    other = await createTenant(bridge, 'elsewhere', { pages: 2 });
    callers = [...(await callersOf(bridge, own)), noCaller];
    otherBefore = await contentOf(other);
    foreignData = new ForeignData((await contentOf(own)).map(parse), otherBefore.map(parse), other.secrets);
  });
  afterAll(() => bridge.close());

  const parse = (text: string): unknown => JSON.parse(text);
  const lists = (): readonly ApiRoute[] =>
    routes.filter(({ endpoint, prefix }) => {
      if (endpoint.method !== 'GET' || (prefix === '/admin/v1' && endpoint.requiredPermission === null)) return false;
      return endpoint.isList === true || Object.hasOwn(endpoint.query ?? {}, 'cursor');
    });
  const isPublic = ({ prefix }: ApiRoute): boolean => prefix === '/v2';
  /** All of them in the full run with SQLite, another third with PostgreSQL, another quarter in each default run. */
  const routesOfThisRun = (all: readonly ApiRoute[]): readonly ApiRoute[] => {
    const parts = iterations({ sample: 4, all: engine === 'sqlite' ? 1 : 3 });
    return all.filter((_, index) => (index + runSeed()) % parts === 0);
  };

  /** Routes with an endpoint definition of their own: those that both APIs share count once. */
  const distinctRoutes = (): readonly ApiRoute[] => {
    const publicNames = new Set(routes.filter(isPublic).map(({ name }) => name));
    return routes.filter(route => isPublic(route) || !publicNames.has(publicNameOf(route)));
  };
  const strongest = (route: ApiRoute): Caller =>
    callers.find(({ name }) => name === (isPublic(route) ? 'token full_read_write' : 'owner'))!;
  const headersOf = (route: ApiRoute, tenant: Tenant): Readonly<Record<string, string>> =>
    isPublic(route) ? { authorization: `Bearer ${tenant.client.token}` } : tenant.owner.headers;

  /** Everything that an organization can read about itself, including deleted objects. */
  const contentOf = async (tenant: Tenant): Promise<string[]> => {
    const content: string[] = [];
    for (const route of lists()) {
      const { object } = route.endpoint;
      const withDeleted = object !== undefined && Object.hasOwn(resourceDefinitions[object].filters, 'is_deleted');
      const url = `${urlOf(route, tenant)}?limit=100${withDeleted ? '&is_deleted=any' : ''}`;
      const { statusCode, payload } = await send(bridge, route, url, headersOf(route, tenant));
      if (statusCode !== 200) throw new Error(`${route.name}: ${statusCode} ${payload}`);
      content.push(payload);
    }
    return content;
  };

  /** Ids and values of the other organization that could match the filter. */
  const valuesFor = (filter: string, object: ResourceType | undefined, example: unknown): ReadonlySet<string> => {
    const kinds = Object.keys(other.ids).filter(
      kind => filter.endsWith(`${kind}_id`) || (filter === 'id' && kind === object),
    );
    const value = filter
      .split('.')
      .reduce((part: unknown, name) => (part as Record<string, unknown> | null)?.[name], example);
    return new Set([...kinds.map(kind => other.ids[kind]!), ...(typeof value === 'string' ? [value] : [])]);
  };

  /** Collects deviations, so that a failure shows all of them. */
  const deviations: string[] = [];
  beforeEach(() => void deviations.splice(0));
  const check = async (
    route: ApiRoute,
    caller: Caller,
    url: string,
    body: object | undefined,
    expected: readonly number[],
  ): Promise<void> => {
    const { statusCode, payload } = await send(bridge, route, url, caller.headers, body);
    const request = `${url} ${body === undefined || Buffer.isBuffer(body) ? '' : JSON.stringify(body)}`;
    const shown = `${caller.name}: ${route.endpoint.method} ${request} → ${statusCode} ${payload.slice(0, 300)}`;
    if (!expected.includes(statusCode)) deviations.push(`${shown}\n  expected ${expected.join(' or ')}`);
    const leaked = foreignData.in(payload, request);
    if (leaked.length > 0) deviations.push(`${shown}\n  contains ${leaked.join(', ')}`);
  };
  const expectNoDeviations = (): void => {
    expect(deviations.slice(0, 20).join('\n')).toBe('');
  };

  /** Forwarded to controllers; the controller's API is their table. */
  const remoteTechnicianRoutes = (): readonly string[] =>
    registeredRoutes(bridge.app).filter(name => name.includes('/devices/:device_id/technician/v1/'));

  it('covers every registered route', () => {
    const covered = new Set([...routes.map(({ name }) => name), ...otherRoutes, ...remoteTechnicianRoutes()]);
    const isApi = (name: string): boolean => / \/(?:v2|admin\/v1)\//.test(name);
    expect(registeredRoutes(bridge.app).filter(name => isApi(name) && !covered.has(name))).toEqual([]);
    expect(registeredRoutes(bridge.app)).toEqual(expect.arrayContaining(routes.map(({ name }) => name)));
    expect(foreignData.count).toBeGreaterThan(100);
  });

  it('denies callers without the role or scope, in their own organization', async () => {
    for (const route of routesOfThisRun(routes)) {
      const [first] = bodiesFor(route.endpoint, route.prefix, own.ids);
      for (const caller of callers) {
        const denial = denialFor(route, caller);
        if (denial !== null) await check(route, caller, urlOf(route, own), first?.body, [denial]);
      }
    }
    expectNoDeviations();
  });

  it('reports objects of another organization in the path as unknown', async () => {
    for (const route of routesOfThisRun(routes)) {
      const [first] = bodiesFor(route.endpoint, route.prefix, own.ids);
      for (const foreign of foreignCombinationsOf(foreignParams(route))) {
        const url = urlOf(route, own, foreign, other);
        for (const caller of callers) {
          const denial = denialFor(route, caller);
          const isAuthenticated = denial !== 401 && !(caller.kind === 'token' && caller.role === null);
          const isHidden = foreign.includes('organization_id') && isAuthenticated;
          const isOfAccount = route.prefix === '/admin/v1' && route.endpoint.requiredPermission === null;
          const needsSession = isOfAccount && caller.kind === 'token';
          const expected = isHidden ? 404 : (denial ?? 404);
          await check(route, caller, url, first?.body, needsSession ? [expected, 403] : [expected]);
        }
      }
    }
    expectNoDeviations();
  });

  it('reports controllers of another organization as unknown to remote technicians', async () => {
    for (const name of remoteTechnicianRoutes()) {
      const [method, path = ''] = name.split(' ');
      const url = path.replace(':device_id', other.ids['device']!).replaceAll(/:[a-z_]+/g, 'x');
      for (const { name: callerName, headers, kind } of callers) {
        const payload = method === 'GET' ? {} : { payload: {} };
        const { statusCode } = await bridge.app.inject({ method: method as 'GET', url, headers, ...payload });
        const expected = kind === 'session' ? [404] : [401, 403, 404];
        if (!expected.includes(statusCode)) deviations.push(`${callerName}: ${method} ${url} → ${statusCode}`);
      }
    }
    expect(remoteTechnicianRoutes().length).toBeGreaterThan(0);
    expectNoDeviations();
  });

  it('hides webhooks and their deliveries from other applications of the organization', async () => {
    const { token } = await bridge.newApplication(own.organizationId);
    const application: Caller = {
      ...noCaller,
      name: 'other application',
      headers: { authorization: `Bearer ${token}` },
    };
    for (const route of routes.filter(({ params }) => params.includes('webhook_id'))) {
      const [first] = bodiesFor(route.endpoint, route.prefix, own.ids);
      const denial = denialFor(route, { ...application, role: 'administrator' });
      await check(route, application, urlOf(route, own), first?.body, [denial ?? 404]);
    }
    const { payload } = await bridge.app.inject({ url: '/v2/webhooks', headers: application.headers });
    expect(payload).not.toContain(own.ids['webhook']);
    expectNoDeviations();
  });

  it('rejects ids of another organization in bodies', async () => {
    const ownIds = new Set(Object.values(own.ids));
    for (const route of routes) {
      const allowed = callers.filter(caller => denialFor(route, caller) === null);
      for (const { body } of bodiesFor(route.endpoint, route.prefix, own.ids)) {
        if (body === undefined || Buffer.isBuffer(body)) continue;
        for (const path of idPathsIn(body, ownIds)) {
          const changed = withForeignId(body, path, own, other);
          for (const caller of allowed) await check(route, caller, urlOf(route, own), changed, [400, 404]);
        }
      }
    }
    expectNoDeviations();
  });

  it('finds nothing of another organization with filters, searches and cursors', async () => {
    for (const route of lists()) {
      const { object, query = {} } = route.endpoint;
      const url = urlOf(route, own);
      const theirs = await send(bridge, route, `${urlOf(route, other)}?limit=1`, headersOf(route, other));
      const { data, cursor_next } = theirs.json<ApiBody>();
      const caller = strongest(route);
      for (const name of object === undefined ? Object.keys(query) : ['id', ...getListFilterNames(object)]) {
        for (const value of valuesFor(name, object, data[0])) {
          await check(route, caller, `${url}?${name}=${encodeURIComponent(value)}`, undefined, [200, 400]);
        }
      }
      const queries = [`metadata.note=${other.marker}`, `q=${other.marker}`, `cursor=${cursor_next}`];
      if (cursor_next === undefined && route.endpoint.path !== '/products') {
        deviations.push(`Add a second object to test/security/tenant-fixture.ts for ${route.name}`);
      }
      for (const one of queries) await check(route, caller, `${url}?${one}`, undefined, [200, 400]);
    }
    expectNoDeviations();
  });

  it('leaves objects of another organization out of expands, also when a row refers to them', async () => {
    const referring = await createTenant(bridge, 'referring');
    const ids = Object.values(other.ids);
    const data = new ForeignData((await contentOf(referring)).map(parse), otherBefore.map(parse), other.secrets);
    for (const [type, { expands }] of Object.entries(resourceDefinitions)) {
      for (const spec of Object.values(expands)) {
        const [table, id] = [tables[type], other.ids[spec.target]];
        if (table === undefined || id === undefined || spec.kind === 'many' || isParent(type, spec.field)) continue;
        // Any organization may authorize an application, and then sees its name.
        if (spec.target === 'oauth_application') continue;
        const value = spec.kind === 'list' ? JSON.stringify([id]) : id;
        await sql`update ${sql.table(table)} set ${sql.ref(spec.field.replace('.', '_'))} = ${value}
          where organization_id = ${referring.organizationId}`.execute(bridge.services.storage.writer);
      }
    }
    for (const route of distinctRoutes()) {
      if (route.endpoint.method !== 'GET' || route.endpoint.object === undefined) continue;
      const { expands } = resourceDefinitions[route.endpoint.object];
      for (const [name, { target }] of Object.entries(expands)) {
        for (const expand of [
          name,
          ...Object.keys(resourceDefinitions[target].expands).map(child => `${name}.${child}`),
        ]) {
          const url = `${urlOf(route, referring)}?expand=${expand}`;
          const { statusCode, payload } = await send(bridge, route, url, headersOf(route, referring));
          const leaked = data.in(payload, '').filter(text => !ids.some(id => id.includes(text)));
          if (statusCode !== 200 || leaked.length > 0) {
            deviations.push(`GET ${url} → ${statusCode} ${payload.slice(0, 300)}\n  contains ${leaked.join(', ')}`);
          }
        }
      }
    }
    expectNoDeviations();
  });

  it('delivers no event of another organization to a webhook or a trigger', async () => {
    const filter = [
      { object_type: 'member' },
      { 'object.member_id': other.ids['member']! },
      { organization_id: other.organizationId },
    ];
    const { id } = await own.client.callOk('POST', '/webhooks', { url: 'http://hook.invalid', filter });
    const counterpart = await createTenant(bridge, 'counterpart');
    await counterpart.client.callOk('PATCH', `/members/${counterpart.ids['member']}`, { name: 'Changed' });
    await counterpart.client.callOk('POST', `/gadgets/${counterpart.ids['gadget']}/actions/open`, {});
    expect((await own.client.callOk('GET', `/webhooks/${id}/deliveries`)).data).toEqual([]);
    const [source, target] = [other.ids['gadget'], own.ids['gadget']];
    const trigger = { source_type: 'state', source_state_id: 'unlocked', target_action_id: 'open' };
    const crossed = await own.client.call('POST', '/gadget_triggers', {
      ...trigger,
      source_gadget_id: source,
      target_gadget_id: target,
    });
    expect([crossed.status, (crossed.body['args'] as Record<string, string>)['field']]).toEqual([
      400,
      'source_gadget_id',
    ]);
  });

  it('has changed nothing in the other organization', async () => {
    expect(await contentOf(other)).toEqual(otherBefore);
  });

  it('permits the same requests for own objects', async () => {
    const shared = await createTenant(bridge, 'shared');
    for (const route of routesOfThisRun(distinctRoutes())) {
      for (const index of bodiesFor(route.endpoint, route.prefix, own.ids).keys()) {
        const isDelete = route.endpoint.method === 'DELETE';
        const attempt = async (tenant: Tenant): Promise<string | null> => {
          const { body, status = 200 } = bodiesFor(route.endpoint, route.prefix, tenant.ids)[index]!;
          // A site with devices is deleted only on purpose.
          const url = `${urlOf(route, tenant)}${route.name.endsWith('/sites/:site_id') && isDelete ? '?force=true' : ''}`;
          const { statusCode, payload } = await send(bridge, route, url, headersOf(route, tenant), body);
          return statusCode === status ? null : `${route.name} → ${statusCode} ${payload.slice(0, 300)}, not ${status}`;
        };
        // An earlier request may have changed the shared tenant.
        if (!isDelete && (await attempt(shared)) === null) continue;
        const deviation = await attempt(await createTenant(bridge, 'permitted'));
        if (deviation !== null) deviations.push(deviation);
      }
    }
    expectNoDeviations();
  });
};

/** The parent in the path must stay the own one. */
const isParent = (type: string, field: string): boolean =>
  field === 'organization_id' ||
  (type.startsWith('member_') && field === 'member_id') ||
  (type === 'webhook_delivery' && field === 'webhook_id');

const tables: Readonly<Record<string, string>> = {
  site: 'sites',
  device: 'devices',
  gadget: 'gadgets',
  gadget_trigger: 'gadget_triggers',
  member: 'members',
  member_card: 'member_cards',
  member_group_association: 'member_group_associations',
  member_group: 'member_groups',
  webhook_delivery: 'webhook_deliveries',
  event: 'events',
};

describe('Authorization (sqlite)', () => {
  suite('sqlite');
});
describe('Authorization (postgres)', { tags: ['slow'] }, () => {
  suite('postgres');
});
