import { beforeAll, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';
import type { ApiBody, TestOrganizationClient } from '../../support/bridge/test-bridge.ts';

const week = (start: number) => Array.from({ length: 7 }, () => ({ ranges: [{ start, end: 86_400 }] }));

interface Entry {
  readonly id: string;
  readonly verb: string;
  readonly object: { readonly type: string };
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>> | null;
  readonly names: Readonly<Record<string, string>>;
  readonly object_member_group?: { readonly name: string };
}

describeOnSqliteFirst('GET /audit', bridge => {
  let client: TestOrganizationClient;
  let owner: AdminClient;
  let door: Awaited<ReturnType<typeof createTestDoor>>;
  let group: ApiBody;
  let schedule: ApiBody;
  let greta: ApiBody;

  const list = async (query = '', caller = owner) =>
    (await caller.callOk('GET', `/audit${query}`))['data'] as never as Entry[];
  const shortly = (entries: readonly Entry[]) => entries.map(({ verb, object }) => `${verb} ${object.type}`);

  beforeAll(async () => {
    client = await bridge().newOrganization();
    owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    door = await createTestDoor(bridge(), client);
    schedule = await owner.callOk('POST', '/schedules', { name: 'Night shift', weekdays: week(0) });
    group = await owner.callOk('POST', '/member_groups', { name: 'Management' });
    greta = await owner.callOk('POST', '/members', { name: 'Greta Lindqvist', ends_at: '2026-11-21T10:00:00Z' });
    await owner.callOk('POST', `/members/${greta.id}/group_associations`, {
      member_group_id: group.id,
      ends_at: '2026-11-20T10:00:00Z',
    });
    await owner.callOk('PATCH', `/members/${greta.id}`, { ends_at: '2026-11-19T07:58:00Z' });
    const permissions = [{ gadget_id: door.gadgetId, action_id: 'open', schedule_id: schedule.id }];
    await owner.callOk('PATCH', `/member_groups/${group.id}`, { permissions });
  });

  it('gives the dates and the group of a change, and names what a rule refers to', async () => {
    const history = await list(`?object=${greta.id}`);
    expect(shortly(history)).toEqual(['edit member', 'create member_group_association', 'create member']);
    expect(history[0]!.changes).toEqual({ ends_at: ['2026-11-21T10:00:00.000Z', '2026-11-19T07:58:00.000Z'] });
    expect(history[1]).toMatchObject({
      changes: { ends_at: [null, '2026-11-20T10:00:00.000Z'] },
      object_member_group: { name: 'Management' },
    });
    expect(history[2]!.changes).toMatchObject({ name: [null, 'Greta Lindqvist'] });
    const [rules, joined] = await list(`?object=${group.id}`);
    expect(shortly([joined!])).toEqual(['create member_group_association']);
    expect(rules!.changes!['permissions']).toMatchObject([[], [{ gadget_id: door.gadgetId }]]);
    expect(rules!.names).toEqual({ [door.gadgetId]: 'Front door', [schedule.id]: 'Night shift' });
  });

  it('keeps the names of deleted objects', async () => {
    const gone = await owner.callOk('POST', '/schedules', { name: 'Gone', weekdays: week(3600) });
    const second = await owner.callOk('POST', '/member_groups', {
      name: 'Second',
      permissions: [{ schedule_id: gone.id }],
    });
    await owner.callOk('DELETE', `/schedules/${gone.id}`);
    const [created] = await list(`?object=${second.id}`);
    expect(created!.names).toEqual({ [gone.id]: 'Gone' });
  });

  it('records the exception of a schedule and the role of a user', async () => {
    await owner.callOk('PUT', `/schedules/${schedule.id}/exceptions/2036-12-25`, { name: 'Christmas', ranges: [] });
    const [exception] = await list(`?object=${schedule.id}`);
    expect(exception!.changes).toEqual({ exception: [null, { date: '2036-12-25', name: 'Christmas', ranges: [] }] });
    const desk = await openAdminSession(bridge(), client.organizationId, 'front_desk');
    await owner.callOk('PATCH', `/users/${desk.userId}`, { role: 'viewer' });
    const [edited] = await list('?kind=edit');
    expect(edited).toMatchObject({ object: { user_id: desk.userId }, changes: { role: ['front_desk', 'viewer'] } });
  });

  it('names the people who are invited and removed', async () => {
    const invited = await owner.callOk('POST', '/users', { email: 'pepe@example.test', role: 'viewer' });
    await owner.callOk('DELETE', `/users/${invited.id}`);
    const [removed, created] = await list('?q=');
    expect(created).toMatchObject({ verb: 'create', changes: { email: [null, 'pepe@example.test'] } });
    expect(removed).toMatchObject({ verb: 'delete', changes: { email: ['pepe@example.test', null] } });
    const desk = await openAdminSession(bridge(), client.organizationId, 'front_desk');
    expect(JSON.stringify(await list('', desk))).not.toContain('pepe@');
  });

  it('contains no digits of a PIN, no card number and no secret', async () => {
    const { id } = await owner.callOk('POST', '/members', { name: 'Carla' });
    await owner.callOk('POST', `/members/${id}/pins`, { pin: '918273' });
    await owner.callOk('POST', `/members/${id}/cards`, { uid: '04a1b2c3d4e5f6' });
    await client.callOk('POST', '/webhooks', { url: 'http://hook.invalid/?token=s3cret' });
    const text = JSON.stringify(await list());
    for (const secret of ['918273', '04a1b2c3d4e5f6', 's3cret', 'sealed']) expect(text).not.toContain(secret);
  });

  it('filters by name, kind, user and time, and pages', async () => {
    expect(shortly(await list('?q=lindq'))).toEqual([
      'edit member',
      'create member_group_association',
      'create member',
    ]);
    expect(await list('?q=nobody_at_all')).toEqual([]);
    expect(new Set((await list('?kind=create')).map(({ verb }) => verb))).toEqual(new Set(['create']));
    expect((await list(`?user=${owner.userId}`)).length).toBeGreaterThan(3);
    expect(await list('?user=usr_01h00000000000000000000000')).toEqual([]);
    const now = new Date(bridge().now + 1).toISOString();
    expect(await list(`?from=${now}`)).toEqual([]);
    expect((await list(`?until=${now}`)).length).toBeGreaterThan(3);
    const all = (await list()).map(({ id }) => id);
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await owner.callOk('GET', `/audit?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      ids.push(...(page['data'] as readonly { id: string }[]).map(({ id }) => id));
      cursor = page['cursor_next'] as string | undefined;
    } while (cursor !== undefined);
    expect(ids).toEqual(all);
    for (const query of ['?kind=boil', '?object=nothing', '?from=soon'])
      expect((await owner.get(`/audit${query}`)).status).toBe(400);
  });

  it('includes what an application changed, and hides what the role may not read', async () => {
    const { id } = await client.callOk('POST', '/members', { name: 'By application' });
    await client.callOk('PATCH', `/members/${id}`, { name: 'Renamed by application' });
    expect((await list('?kind=edit'))[0]!.changes).toEqual({ name: ['By application', 'Renamed by application'] });
    const rules = [{ code: '*7', gadget_id: door.gadgetId, action_id: 'open' }];
    await owner.callOk('PUT', `/devices/${door.deviceId}/input_rules`, { input_rules: rules });
    expect((await list(`?object=${door.deviceId}`))[0]!.changes).toMatchObject({ input_rules: [[], rules] });
    const desk = await openAdminSession(bridge(), client.organizationId, 'front_desk');
    expect((await list(`?object=${door.deviceId}`, desk))[0]!.changes).toEqual({});
    expect((await list('?kind=edit', desk)).find(({ object }) => object.type === 'user')?.changes).toBeNull();
    const technician = await openAdminSession(bridge(), client.organizationId, 'technician', [door.siteId]);
    expect((await technician.get('/audit')).status).toBe(403);
    const stranger = await openAdminSession(bridge(), (await bridge().newOrganization()).organizationId, 'owner');
    expect(await list(`?object=${greta.id}`, stranger)).toEqual([]);
  });

  it('forgets names and dates of a person whose data is erased', async () => {
    const { id } = await owner.callOk('POST', '/members', { name: 'Erased Person' });
    await owner.callOk('PATCH', `/members/${id}`, { name: 'Erased Otherwise' });
    await owner.callOk('POST', `/members/${id}/erase`, {});
    const history = await list(`?object=${id}`);
    expect(history.length).toBeGreaterThan(1);
    expect(JSON.stringify(history)).not.toContain('Erased');
  });
});
