import { beforeAll, describe, expect, it } from 'vitest';
import type { AdminClient } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { apiRoutes } from '../../security/api-routes.ts';
import { bodiesFor } from '../../security/request-bodies.ts';
import { send, urlOf } from '../../security/foreign-tenant-requests.ts';
import { createTenant, type Tenant } from '../../security/tenant-fixture.ts';

const STALE = '"outdated"';
type Method = 'PATCH' | 'DELETE';

describeOnSqliteFirst('If-Match', bridge => {
  let tenant: Tenant;
  let owner: AdminClient;
  beforeAll(async () => {
    tenant = await createTenant(bridge(), 'conflicts');
    ({ owner } = tenant);
  });
  const write = (method: Method, path: string, ifMatch: string, body?: object) =>
    owner.callRoot(method, `/organizations/${tenant.organizationId}${path}`, body, {
      ...owner.headers,
      'if-match': ifMatch,
    });
  const tagOf = async (path: string): Promise<string> => String((await owner.get(path)).headers['etag']);
  const newGroup = async (): Promise<string> =>
    `/member_groups/${(await owner.callOk('POST', '/member_groups', { name: 'Staff', permissions: [{}] })).id}`;
  const nameOf = async (path: string): Promise<unknown> => (await owner.get(path)).body['name'];

  it('lets exactly one of several simultaneous edits with the same tag succeed', async () => {
    const path = await newGroup();
    const tag = await tagOf(path);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => write('PATCH', path, tag, { name: `Staff ${index}` })),
    );
    const saved = responses.filter(({ status }) => status === 200);
    expect(saved).toHaveLength(1);
    expect(await nameOf(path)).toBe(saved[0]!.body['name']);
    for (const { status, body } of responses.filter(one => one !== saved[0]))
      expect([status, body['type']]).toEqual([412, 'edit_conflict']);
  });

  it('accepts the tag that an edit returns', async () => {
    const path = await newGroup();
    const edited = await write('PATCH', path, await tagOf(path), { name: 'Cleaning' });
    expect(edited.headers['etag']).toBe(await tagOf(path));
    expect((await write('PATCH', path, String(edited.headers['etag']), { name: 'Kitchen' })).status).toBe(200);
  });

  it('prevents a deletion after an edit, and an edit after a deletion', async () => {
    const path = await newGroup();
    const tag = await tagOf(path);
    await owner.callOk('PATCH', path, { permissions: [] });
    expect((await write('DELETE', path, tag)).body['type']).toBe('edit_conflict');
    expect((await write('DELETE', path, await tagOf(path))).status).toBe(200);
    const { id } = await owner.callOk('POST', '/members', { name: 'Ann' });
    const member = await tagOf(`/members/${id}`);
    await owner.callOk('DELETE', `/members/${id}`);
    expect((await write('PATCH', `/members/${id}`, member, { is_deleted: false })).body['type']).toBe('edit_conflict');
  });

  it('ignores what hardware reports and what cannot be edited', async () => {
    const path = `/gadgets/${tenant.ids['gadget']}`;
    const tag = await tagOf(path);
    await owner.callOk('PATCH', path, { state_id: 'unlocked' });
    expect(await tagOf(path)).toBe(tag);
    expect(await tagOf(`${path}?expand=device`)).toBe(tag);
  });

  it.each([
    ['*', 200],
    ['"a", TAG', 200],
    ['W/TAG', 200],
    [STALE, 412],
    ['unquoted', 400],
    ['', 400],
  ])('%s is answered with %i', async (header, status) => {
    const path = await newGroup();
    expect((await write('PATCH', path, header.replace('TAG', await tagOf(path)), { name: 'New' })).status).toBe(status);
  });

  it('is optional', async () => {
    const path = await newGroup();
    await owner.callOk('PATCH', path, { name: 'First' });
    expect((await owner.call('PATCH', path, { name: 'Second' })).body).toMatchObject({ name: 'Second' });
  });

  it('does not reveal objects of others, and does not replace the permission to edit', async () => {
    const path = await newGroup();
    const tag = await tagOf(path);
    const other = (await createTenant(bridge(), 'other')).owner;
    const url = `/organizations/${tenant.organizationId}${path}`;
    const headers = { ...other.headers, 'if-match': tag };
    expect((await other.callRoot('PATCH', url, { name: 'Mine' }, headers)).status).toBe(404);
    expect((await write('PATCH', '/member_groups/mg_unknown', '*', { name: 'x' })).status).toBe(404);
  });

  it('keeps the public API as specified: no ETag, and If-Match changes nothing', async () => {
    const url = `/v2${await newGroup()}`;
    const headers = { authorization: `Bearer ${tenant.client.token}`, 'if-match': STALE };
    const { app } = bridge();
    expect((await app.inject({ url, headers })).headers['etag']).toBeUndefined();
    expect((await app.inject({ method: 'PATCH', url, headers, payload: { name: 'x' } })).statusCode).toBe(200);
  });

  describe('every object that can be edited', () => {
    const routes = () =>
      apiRoutes.filter(
        ({ prefix, endpoint: { method, acceptsBytes } }) =>
          prefix === '/admin/v1' && (method === 'PATCH' || method === 'PUT') && acceptsBytes !== true,
      );
    /** They can be listed, but not read alone. */
    const withoutTag = ['PUT /admin/v1/organizations/:organization_id/schedules/:schedule_id/exceptions/:date'];

    it('has a tag', () => {
      const names = routes().filter(({ endpoint }) => endpoint.editedFields === undefined);
      expect(names.map(({ name }) => name)).toEqual(withoutTag);
    });

    it('rejects an outdated tag, and the second of two simultaneous edits', async () => {
      for (const route of routes().filter(({ endpoint }) => endpoint.editedFields !== undefined)) {
        const url = urlOf(route, tenant);
        const { headers } = await bridge().app.inject({ url, headers: owner.headers });
        const { body = {} } = bodiesFor(route.endpoint, route.prefix, tenant.ids)[0] ?? {};
        const attempt = async (ifMatch: string) =>
          (await send(bridge(), route, url, { ...owner.headers, 'if-match': ifMatch }, body)).statusCode;
        const tag = String(headers['etag']);
        expect([route.name, await attempt(STALE)]).toEqual([route.name, 412]);
        const statuses = await Promise.all([attempt(tag), attempt(tag)]);
        expect([route.name, ...statuses.toSorted((a, b) => a - b)]).toEqual([route.name, 200, 412]);
      }
    });
  });
});
