import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import { roles } from '@lintel/wire-protocol/admin/role';
import {
  isStrikeOperation,
  type RemoteTechnicianOperation,
  remoteTechnicianOperations,
} from '@lintel/wire-protocol/mqtt/remote-technician-operations';
import {
  type DownlinkMessageKind,
  downlinkMessageKinds,
  type UplinkMessageKind,
  uplinkMessageKinds,
} from '@lintel/wire-protocol/mqtt/topics';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roleAllows } from '@lintel/cloud-bridge/testing';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { type TestDatabaseEngine, TestBridge } from '../support/bridge/test-bridge.ts';
import { type ApiRoute, apiRoutes, registeredRoutes } from './api-routes.ts';
import { send, urlOf } from './foreign-tenant-requests.ts';
import { bodiesFor } from './request-bodies.ts';
import { createTenant, type Tenant } from './tenant-fixture.ts';

const ADMIN = '/admin/v1/organizations/:organization_id';
const REMOTE = '/admin/v1/devices/:device_id/technician/v1';
const ROOT = `${join(import.meta.dirname, '../..')}/`;

/** What moves a strike through an API of endpoints, and what it needs. A route that is found and not listed fails. */
const strikeRoutes: Readonly<Record<string, string>> = {
  'POST /v2/gadgets/:gadget_id/actions/:action_id': 'gadgets.execute and whitelabel',
  'POST /v2/gadgets/:gadget_id/actions/:action_id/execute_as_member': 'gadgets.execute and permissions of a member',
  [`POST ${ADMIN}/gadgets/:gadget_id/actions/:action_id`]: 'gadgets.execute, for tokens and whitelabel',
  [`POST ${ADMIN}/gadgets/:gadget_id/actions/:action_id/execute_as_member`]:
    'gadgets.execute and permissions of a member',
  [`POST ${ADMIN}/devices/:device_id/keypad`]: 'gadgets.write and the PIN of a member with permissions',
  [`PATCH ${ADMIN}/gadgets/:gadget_id`]: 'gadgets.write and a trigger, for virtual gadgets',
  [`POST ${ADMIN}/gadgets/:gadget_id/signals/:signal_id`]: 'gadgets.write and a trigger, for virtual gadgets',
};

/** Routes outside the endpoint tables. The table of operations of remote technicians declares its own. */
const otherStrikeRoutes: Readonly<Record<string, string>> = {
  'POST /guest/v1/gadgets/:gadget_id/actions/:action_id': 'permissions of the member that is signed in',
  [`POST ${REMOTE}/gadgets/:gadget_id/actions/:action_id`]:
    'input_rules.write, gadgets.execute, for tokens and whitelabel',
  [`POST ${REMOTE}/outputs/:output/pulse`]: 'input_rules.write, gadgets.execute, for tokens and whitelabel',
};

/** Messages to controllers: what a strike needs so that it moves; null for messages that move none. */
const downlinkMessages: Readonly<Record<DownlinkMessageKind, string | null>> = {
  action: 'an AuthorizedStrike in the bridge',
  technician: 'an AuthorizedStrike in the bridge, for the operations that move a strike',
  'peer-request': 'the signature of the reading controller, and the decision of the controller that owns the gadget',
  ack: null,
  snapshot: null,
  time: null,
  rules: null,
  'rules-copied': null,
  'site-directory': null,
  'bridge-link': null,
  update: null,
  'resend-events': null,
  'resend-revocations': null,
  'missed-revocations': null,
  'peer-hello': null,
  'peer-nonce': null,
  'peer-answer': null,
};

/** Messages from controllers: the bridge forwards requests between controllers, and acts on no other. */
const uplinkMessages: Readonly<Record<UplinkMessageKind, string | null>> = {
  'peer-request': 'forwarded unchanged; the controller that owns the gadget verifies the signature and decides',
  hello: null,
  goodbye: null,
  'connected-devices': null,
  events: null,
  status: null,
  state: null,
  'action-result': null,
  'sync-request': null,
  'active-revision': null,
  'time-request': null,
  'rules-changed': null,
  'rules-copy': null,
  'site-request': null,
  revocations: null,
  'update-report': null,
  'technician-answer': null,
  'technician-live': null,
  'peer-hello': null,
  'peer-nonce': null,
  'peer-answer': null,
};

const lockStates = ['locked', 'unlocked'].map(id => ({ id, name: id }));

const operationsNeeding = (permission: AdminPermission): string[] =>
  Object.entries(remoteTechnicianOperations)
    .filter(([, { needs }]) => (needs as readonly AdminPermission[]).includes(permission))
    .map(([name]) => name);

const filesContaining = (pattern: RegExp): string[] =>
  globSync('cloud-bridge/src/**/*.ts', { cwd: ROOT })
    .filter(file => !file.includes('.test') && pattern.test(readFileSync(`${ROOT}${file}`, 'utf8')))
    .toSorted();

describe('declarations of what moves a strike', () => {
  it('names every message in both directions', () => {
    expect(Object.keys(downlinkMessages).toSorted()).toEqual([...downlinkMessageKinds].toSorted());
    expect(Object.keys(uplinkMessages).toSorted()).toEqual([...uplinkMessageKinds].toSorted());
  });

  it('authorizes strikes in one function, which these files use', () => {
    expect(filesContaining(/\bauthorizeStrike\(/)).toEqual([
      'cloud-bridge/src/actions/gadget-actions.ts',
      'cloud-bridge/src/actions/virtual-keypad.ts',
      'cloud-bridge/src/authorization/authorize-strike.ts',
      'cloud-bridge/src/automation/virtual-gadgets.ts',
      'cloud-bridge/src/devices/remote-technician/remote-technician-routes.ts',
    ]);
    expect(filesContaining(/\bnew Authorized\w*Strike\(/)).toEqual([
      'cloud-bridge/src/authorization/authorize-strike.ts',
    ]);
    expect(filesContaining(/'action', request\)/)).toEqual(['cloud-bridge/src/devices/mqtt-action-executor.ts']);
    expect(filesContaining(/\.send\(session, 'technician'/)).toEqual([
      'cloud-bridge/src/devices/remote-technician/technician-request-forwarder.ts',
    ]);
  });

  it('requires a permission for every operation of a remote technician', () => {
    expect(operationsNeeding('gadgets.execute')).toEqual(['run_action', 'pulse_output']);
    expect(operationsNeeding('events.read')).toEqual(['get_support_bundle', 'list_events', 'watch_live']);
    for (const [name, { path }] of Object.entries(remoteTechnicianOperations))
      expect([name, isStrikeOperation(name as RemoteTechnicianOperation)]).toEqual([
        name,
        /\/actions\/|\/outputs\/|\/pulse$/.test(path),
      ]);
  });
});

const suite = (engine: TestDatabaseEngine): void => {
  let bridge: TestBridge;
  const routes = apiRoutes;

  beforeAll(async () => {
    bridge = await TestBridge.open({ engine });
    await bridge.app.ready();
  });
  afterAll(() => bridge.close());

  const setWhitelabel = async ({ organizationId }: Tenant, whitelabel: 0 | 1): Promise<void> => {
    const { writer } = bridge.services.storage;
    await writer.updateTable('organizations').set({ whitelabel }).where('id', '=', organizationId).execute();
  };

  const createStrikeTenant = async (): Promise<Tenant> => {
    const tenant = await createTenant(bridge, 'strike');
    const { gadget } = tenant.ids;
    await setWhitelabel(tenant, 1);
    await tenant.client.callOk('POST', '/gadget_triggers', {
      target_gadget_id: gadget,
      target_action_id: 'hold',
      source_type: 'signal',
      source_gadget_id: gadget,
      source_signal_id: 'forced',
    });
    return tenant;
  };

  const countStrikes = async (tenant: Tenant): Promise<number> => {
    const { rows } = await sql<{ count: number | string }>`select count(*) as count from events
      where organization_id = ${tenant.organizationId} and verb = 'use' and object_type = 'gadget_action'`.execute(
      bridge.services.storage.reader,
    );
    return Number(rows[0]!.count);
  };

  /** The bodies of the suite for tenants, and those that make virtual hardware act. */
  const bodiesOf = ({ endpoint, prefix, name }: ApiRoute, tenant: Tenant): readonly (object | undefined)[] => {
    const pin = tenant.secrets.find(secret => /^\d{12}$/.test(secret));
    if (name.endsWith('/keypad')) return [{ keys: `${pin}#` }];
    const bodies = bodiesFor(endpoint, prefix, tenant.ids).map(({ body }) => body);
    return name === `PATCH ${ADMIN}/gadgets/:gadget_id`
      ? [...bodies, { states: lockStates }, { state_id: 'locked' }, { state_id: 'unlocked' }]
      : bodies;
  };

  const movesStrike = async (route: ApiRoute, tenant: Tenant): Promise<boolean> => {
    const before = await countStrikes(tenant);
    // A virtual device has no hardware, so its gadgets are the ones that act here.
    const virtual = { ...tenant, ids: { ...tenant.ids, device: tenant.ids['virtual_device']! } };
    const headers = route.prefix === '/v2' ? { authorization: `Bearer ${tenant.client.token}` } : tenant.owner.headers;
    for (const body of bodiesOf(route, tenant)) await send(bridge, route, urlOf(route, virtual), headers, body);
    return (await countStrikes(tenant)) > before;
  };

  it('lists every route of the endpoint tables that moves a strike', async () => {
    const found: string[] = [];
    const shared = await createStrikeTenant();
    for (const route of routes.filter(({ endpoint }) => !['GET', 'DELETE'].includes(endpoint.method))) {
      // An earlier request may have changed the shared tenant.
      const isListed = Object.hasOwn(strikeRoutes, route.name);
      if (await movesStrike(route, isListed ? await createStrikeTenant() : shared)) found.push(route.name);
    }
    expect(found.toSorted()).toEqual(Object.keys(strikeRoutes).toSorted());
  });

  it('lists every other registered route that names an action or an output', () => {
    const ofTables = new Set(routes.map(({ name }) => name));
    const named = registeredRoutes(bridge.app).filter(
      name => !ofTables.has(name) && /\/actions\/|\/outputs\/|\/pulse\b|\/signals\//.test(name),
    );
    expect(named.toSorted()).toEqual(Object.keys(otherStrikeRoutes).toSorted());
  });

  it('refuses each of them to roles without gadgets.execute, and to applications without whitelabel', async () => {
    const tenant = await createStrikeTenant();
    const { ids, organizationId } = tenant;
    const remote = `/admin/v1/devices/${ids['device']}/technician/v1`;
    const claimed = await bridge.services.storage.reader
      .selectFrom('gadgets')
      .select('id')
      .where('device_id', '=', ids['device']!)
      .executeTakeFirstOrThrow();
    const paths = [
      `/admin/v1/organizations/${organizationId}/gadgets/${ids['gadget']}/actions/open`,
      `${remote}/gadgets/${claimed.id}/actions/open`,
      `${remote}/outputs/strike/pulse`,
    ];
    const post = async (url: string, headers: Readonly<Record<string, string>>) => {
      const { statusCode, payload } = await bridge.app.inject({ method: 'POST', url, headers, payload: {} });
      return [statusCode, payload] as const;
    };
    for (const role of roles) {
      const sites = role === 'technician' ? [ids['site']!] : [];
      const { headers } = await openAdminSession(bridge, organizationId, role, sites);
      for (const path of paths) {
        const isRemote = path.startsWith(remote);
        const needs = ['gadgets.execute', ...(isRemote ? ['input_rules.write'] : [])] as const;
        const isAllowed = needs.every(permission => roleAllows(role, permission as AdminPermission));
        const [status] = await post(path, headers);
        // The controller of the tenant is offline.
        expect([role, path, status]).toEqual([role, path, isAllowed ? (isRemote ? 503 : 200) : 403]);
      }
    }
    const { headers } = await openAdminSession(bridge, organizationId, 'owner');
    expect((await post(`${remote}/gadgets/${ids['gadget']}/actions/open`, headers))[0]).toBe(404);
    await setWhitelabel(tenant, 0);
    const before = await countStrikes(tenant);
    const token = { authorization: `Bearer ${tenant.client.token}` };
    for (const path of [...paths, `/v2/gadgets/${ids['gadget']}/actions/open`]) {
      const [status, payload] = await post(path, token);
      expect([path, status, payload.includes('whitelabel')]).toEqual([path, 403, true]);
    }
    expect(await countStrikes(tenant)).toBe(before);
  });
};

describe('routes that move a strike (sqlite)', () => {
  suite('sqlite');
});
describe('routes that move a strike (postgres)', { tags: ['slow'] }, () => {
  suite('postgres');
});
