import { roles } from '@lintel/wire-protocol/admin/role';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminWithScriptToken, openAdminSession } from '../support/bridge/admin-client.ts';
import { createGuestWithLink, GuestPhone } from '../support/bridge/guest-phone.ts';
import { createTestDoor } from '../support/bridge/site-fixtures.ts';
import { type TestDatabaseEngine, TestBridge } from '../support/bridge/test-bridge.ts';
import { apiRoutes, registeredRoutes } from './api-routes.ts';
import { type Credential, credentials, routeAccess } from './route-access.ts';

type Headers = Readonly<Record<string, string>>;

/** WebSockets, and documentation without a caller. */
const otherRoutes = [
  'GET /admin/v1/openapi.json',
  'GET /admin/v1/organizations/:organization_id/events/stream',
  'OPTIONS /admin/v1/*',
];

/** Bodies for endpoints that refuse a caller by themselves. All others are sent a body that cannot be parsed. */
const validBodies: Readonly<Record<string, object>> = {
  'POST /admin/v1/organizations': { name: 'Another' },
  'POST /admin/v1/session/proof': {},
  'POST /admin/v1/organizations/:organization_id/tokens': { name: 'Script', scope: 'full_read_only' },
  'PATCH /admin/v1/organizations/:organization_id/retention': {},
};

const suite = (engine: TestDatabaseEngine): void => {
  let bridge: TestBridge;
  let organizationId: string;
  let deviceId: string;
  let headersOf: Readonly<Record<Credential, Headers>>;

  beforeAll(async () => {
    bridge = await TestBridge.open({ engine });
    await bridge.app.ready();
    const client = await bridge.newOrganization();
    const { applicationId } = client;
    organizationId = client.organizationId;
    const door = await createTestDoor(bridge, client);
    deviceId = door.deviceId;
    const token = async (scope: string): Promise<Headers> => ({
      authorization: `Bearer ${(await bridge.client(organizationId, applicationId, scope)).token}`,
    });
    const { link } = await createGuestWithLink(client, [{}]);
    const phone = new GuestPhone(bridge);
    await phone.openLink(link);
    const sessions = await Promise.all(
      roles.map(async role => {
        const { headers } = await openAdminSession(
          bridge,
          organizationId,
          role,
          role === 'technician' ? [door.siteId] : [],
        );
        return [role, headers] as const;
      }),
    );
    headersOf = {
      ...(Object.fromEntries(sessions) as Record<(typeof roles)[number], Headers>),
      script: (await adminWithScriptToken(bridge, organizationId)).headers,
      application: await token('full_read_write'),
      reader: await token('full_read_only'),
      offline: await token('offline'),
      guest: { cookie: phone.cookie! },
      nobody: {},
    };
  });
  afterAll(() => bridge.close());

  const adminRoutes = (): readonly string[] =>
    registeredRoutes(bridge.app).filter(name => name.includes(' /admin/v1/') && !otherRoutes.includes(name));

  /** Callers are authorized before the body is parsed and before objects are looked up. */
  const isPermitted = async (name: string, headers: Headers): Promise<boolean> => {
    const [method = '', path = ''] = name.split(' ');
    const isRemote = path.includes('/technician/v1/');
    const url = path.replaceAll(/:([a-z_]+)/g, (_, param: string) =>
      param === 'organization_id' ? organizationId : isRemote && param === 'device_id' ? deviceId : 'unknown',
    );
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const { statusCode, payload } = await bridge.app.inject({
      method: method as 'GET',
      url,
      headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      ...(hasBody ? { payload: JSON.stringify(validBodies[name]) ?? '{' } : {}),
    });
    // The technician must be at the controller: the caller was authorized.
    if (payload.includes('at_the_door_only')) return true;
    // The device exists, so that it is unknown only to callers without access.
    return !(isRemote ? [401, 403, 404] : [401, 403]).includes(statusCode);
  };

  it('permits each kind of credential what the table declares, on every route', async () => {
    const found: Record<string, string> = {};
    for (const name of adminRoutes()) {
      let permitted = '';
      for (const [credential, letter] of Object.entries(credentials))
        if (await isPermitted(name, headersOf[credential as Credential])) permitted += letter;
      found[name] = permitted;
    }
    expect(found).toEqual(routeAccess);
  });

  it('tests every route of the endpoint table', () => {
    const names = apiRoutes.filter(({ prefix }) => prefix === '/admin/v1').map(({ name }) => name);
    expect(adminRoutes()).toEqual(expect.arrayContaining(names));
  });
};

describe('admin routes and credentials (sqlite)', () => {
  suite('sqlite');
});
describe('admin routes and credentials (postgres)', { tags: ['slow'] }, () => {
  suite('postgres');
});
