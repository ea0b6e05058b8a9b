import { expect, it } from 'vitest';
import { callAsOwner } from '../../support/bridge/admin-client.ts';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { accessChangesOf, eventsOf } from '../../support/devices/organization-events-and-access-changes.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor, createTestSite } from '../../support/bridge/site-fixtures.ts';

const newGroup = (client: TestOrganizationClient, name: string, permissions: readonly object[] = []) =>
  client.callOk('POST', '/member_groups', { name, permissions });

const nights = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 21_600 }] }));

describeOnBothDatabases('member groups', bridge => {
  it('are created, found, edited and deleted with an event and a controller change each', async () => {
    const client = await bridge().newOrganization();
    const created = await client.callOk('POST', '/member_groups', { name: 'Guests', metadata: { floor: '1' } });
    expect(created).toEqual({
      id: expect.stringMatching(/^mg_/),
      organization_id: client.organizationId,
      name: 'Guests',
      permissions: [],
      is_deleted: false,
      created_at: '2026-06-01T10:00:00.000Z',
      metadata: { floor: '1' },
      tag_ids: [],
    });
    const other = await newGroup(client, 'Staff');
    expect((await client.callOk('GET', '/member_groups?q=uest')).data).toEqual([created]);
    const école = await client.callOk('POST', '/member_groups', { name: 'Grande ÉCOLE' });
    expect((await client.callOk('GET', `/member_groups?q=${encodeURIComponent('grande ÉCOLE')}`)).data).toEqual([
      école,
    ]);
    await client.callOk('DELETE', `/member_groups/${école.id}`);
    const edited = await client.callOk('PATCH', `/member_groups/${created.id}`, {
      name: 'Visitors',
      permissions: [{}],
    });
    expect(edited).toEqual({ ...created, name: 'Visitors', permissions: [{}] });
    await client.callOk('PATCH', `/member_groups/${created.id}`, { name: 'Visitors', permissions: [{}] });
    const deleted = await client.callOk('DELETE', `/member_groups/${created.id}`);
    expect(deleted).toEqual({ ...edited, is_deleted: true });
    expect(await client.callOk('DELETE', `/member_groups/${created.id}`)).toEqual(deleted);
    expect((await client.callOk('GET', '/member_groups')).data).toEqual([other]);
    expect((await client.call('PATCH', `/member_groups/${created.id}`, { name: 'x' })).status).toBe(404);
    const [own, changes] = [await eventsOf(bridge(), client), await accessChangesOf(bridge(), client)];
    expect(own.filter(text => text.endsWith(created.id))).toEqual(
      ['create', 'edit', 'delete'].map(verb => `${verb} member_group ${created.id}`),
    );
    expect(changes.filter(text => text.endsWith(created.id))).toHaveLength(3);
    const stranger = await bridge().newOrganization();
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { name: 'x' } : undefined;
      expect((await stranger.call(method, `/member_groups/${other.id}`, body)).status).toBe(404);
    }
  });

  it('are found by a gadget that a rule names', async () => {
    const client = await bridge().newOrganization();
    const { siteId, gadgetId } = await createTestDoor(bridge(), client);
    const { gadgetId: otherId } = await createTestDoor(bridge(), client);
    const room = await newGroup(client, 'Room', [{ gadget_id: otherId }, { gadget_id: gadgetId, action_id: 'open' }]);
    await newGroup(client, 'House', [{ site_id: siteId }, {}]);
    await newGroup(client, 'Other room', [{ gadget_id: otherId }]);
    expect((await client.callOk('GET', `/member_groups?gadget_id=${gadgetId}`)).data).toEqual([room]);
    expect((await client.callOk('GET', '/member_groups?gadget_id=gad_unknown')).data).toEqual([]);
    expect((await client.call('GET', `/member_groups?gadget_id=${siteId}`)).body).toMatchObject({
      type: 'invalid_request',
      args: { field: 'gadget_id' },
    });
  });

  it('store every kind of rule unchanged, without null fields', async () => {
    const client = await bridge().newOrganization();
    const { siteId, gadgetId } = await createTestDoor(bridge(), client);
    const schedule = await client.callOk('POST', '/schedules', { name: 'Nights', weekdays: nights });
    const parent = await newGroup(client, 'Parent');
    const permissions = [
      {},
      { site_id: siteId, schedule_id: schedule.id },
      { gadget_id: gadgetId, action_id: 'open', presence: 'gps', access_methods: { pin: true, online: false } },
      { member_group_id: parent.id, presence: 'none' },
    ];
    const created = await newGroup(client, 'All', permissions);
    expect(created['permissions']).toEqual(permissions);
    const withNulls = [{ site_id: siteId, gadget_id: null, schedule_id: null, access_methods: null }];
    const edited = await client.callOk('PATCH', `/member_groups/${created.id}`, { permissions: withNulls });
    expect(edited['permissions']).toEqual([{ site_id: siteId }]);
  });

  it('are rejected with the invalid rule and field', async () => {
    const client = await bridge().newOrganization();
    const stranger = await bridge().newOrganization();
    const { siteId, gadgetId } = await createTestDoor(bridge(), client);
    const foreign = await createTestDoor(bridge(), stranger);
    const foreignGroup = await newGroup(stranger, 'Theirs');
    const gone = await newGroup(client, 'Gone');
    await client.callOk('DELETE', `/member_groups/${gone.id}`);
    const closedSiteId = await createTestSite(bridge(), client);
    await callAsOwner(bridge(), client, 'DELETE', `/sites/${closedSiteId}`);
    const group = await newGroup(client, 'Ours');
    for (const [rule, field] of [
      [{ gadget_id: 'gad_unknown' }, 'gadget_id'],
      [{ gadget_id: foreign.gadgetId }, 'gadget_id'],
      [{ gadget_id: gadgetId, action_id: 'explode' }, 'action_id'],
      [{ action_id: 'open' }, 'action_id'],
      [{ site_id: foreign.siteId }, 'site_id'],
      [{ site_id: closedSiteId }, 'site_id'],
      [{ site_id: 'site_unknown' }, 'site_id'],
      [{ site_id: siteId, gadget_id: gadgetId }, 'gadget_id'],
      [{ schedule_id: 'sch_unknown' }, 'schedule_id'],
      [{ schedule_id: 'mg_wrong' }, 'schedule_id'],
      [{ member_group_id: foreignGroup.id }, 'member_group_id'],
      [{ member_group_id: gone.id }, 'member_group_id'],
      [{ access_methods: { telepathy: true } }, 'access_methods.telepathy'],
      [{ presence: 'near' }, 'presence'],
      [{ colour: 'red' }, 'colour'],
    ] as const) {
      const permissions = [{ gadget_id: gadgetId, action_id: 'open' }, rule];
      const expected = { type: 'invalid_request', args: { field: `permissions.1.${field}` } };
      const created = await client.call('POST', '/member_groups', { name: 'x', permissions });
      expect(created.status).toBe(400);
      expect(created.body).toMatchObject(expected);
      const edited = await client.call('PATCH', `/member_groups/${group.id}`, { permissions });
      expect(edited.body).toMatchObject(expected);
    }
    expect((await client.callOk('GET', '/member_groups')).data).toEqual([group]);
  });

  it('are rejected with direct or indirect circular inheritance', async () => {
    const client = await bridge().newOrganization();
    const a = await newGroup(client, 'A');
    const b = await newGroup(client, 'B', [{ member_group_id: a.id }]);
    const c = await newGroup(client, 'C', [{}, { member_group_id: b.id }]);
    const edit = (id: string, ...parents: string[]) =>
      client.call('PATCH', `/member_groups/${id}`, {
        permissions: [{}, ...parents.map(member_group_id => ({ member_group_id }))],
      });
    for (const parent of [a.id, b.id, c.id]) {
      const answer = await edit(a.id, parent);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ args: { field: 'permissions.1.member_group_id' } });
    }
    expect((await edit(c.id, a.id, b.id)).status).toBe(200);
    await client.callOk('DELETE', `/member_groups/${b.id}`);
    expect((await client.callOk('PATCH', `/member_groups/${c.id}`, { name: 'C2' }))['permissions']).toContainEqual({
      member_group_id: b.id,
    });
    expect((await edit(c.id, a.id)).status).toBe(200);
    expect((await edit(a.id, c.id)).status).toBe(400);
  });

  it('remain editable when an object that their rules refer to is deleted', async () => {
    const client = await bridge().newOrganization();
    const { gadgetId } = await createTestDoor(bridge(), client);
    const schedule = await client.callOk('POST', '/schedules', { name: 'Nights', weekdays: nights });
    const permissions = [{ schedule_id: schedule.id }, { gadget_id: gadgetId }];
    const group = await newGroup(client, 'Guests', permissions);
    await client.callOk('DELETE', `/schedules/${schedule.id}`);
    await callAsOwner(bridge(), client, 'DELETE', `/gadgets/${gadgetId}`);
    const edited = await client.callOk('PATCH', `/member_groups/${group.id}`, { name: 'Still' });
    expect(edited).toMatchObject({ name: 'Still', permissions });
    expect((await client.call('PATCH', `/member_groups/${group.id}`, { permissions })).body).toMatchObject({
      args: { field: 'permissions.1.gadget_id' },
    });
  });
});

describeOnBothDatabases('schedules, tags and the organization', bridge => {
  it('include schedules that are created, found, edited and deleted with an event and a controller change each', async () => {
    const client = await bridge().newOrganization();
    const created = await client.callOk('POST', '/schedules', { name: 'Nights', weekdays: nights });
    expect(created).toEqual({
      id: expect.stringMatching(/^sch_/),
      organization_id: client.organizationId,
      name: 'Nights',
      weekdays: nights,
      is_deleted: false,
      created_at: '2026-06-01T10:00:00.000Z',
      metadata: {},
    });
    expect((await client.callOk('GET', '/schedules?q=night')).data).toEqual([created]);
    expect((await client.callOk('GET', '/schedules?q=day')).data).toEqual([]);
    const weekdays = nights.map(() => ({ ranges: [] }));
    const edited = await client.callOk('PATCH', `/schedules/${created.id}`, { weekdays, metadata: { a: 'b' } });
    expect(edited).toEqual({ ...created, weekdays, metadata: { a: 'b' } });
    expect(await client.callOk('PATCH', `/schedules/${created.id}`, { name: 'Nights', weekdays })).toEqual(edited);
    const deleted = await client.callOk('DELETE', `/schedules/${created.id}`);
    expect(deleted).toEqual({ ...edited, is_deleted: true });
    expect(await client.callOk('DELETE', `/schedules/${created.id}`)).toEqual(deleted);
    expect((await client.call('PATCH', `/schedules/${created.id}`, { name: 'x' })).status).toBe(404);
    expect(await eventsOf(bridge(), client)).toEqual(
      ['create', 'edit', 'delete'].map(verb => `${verb} schedule ${created.id}`),
    );
    expect(await accessChangesOf(bridge(), client)).toEqual(Array(3).fill(`schedule ${created.id}`));
  });

  it('reject a schedule with the invalid range', async () => {
    const client = await bridge().newOrganization();
    const withMonday = (...ranges: object[]) => [{ ranges }, ...nights.slice(1)];
    for (const [weekdays, field] of [
      [nights.slice(1), 'weekdays'],
      [withMonday({ start: 0, end: 86_401 }), 'weekdays.0.ranges.0.end'],
      [withMonday({ start: 10, end: 10 }), 'weekdays.0.ranges.0.end'],
      [withMonday({ start: 0, end: 10 }, { start: 9, end: 20 }), 'weekdays.0.ranges.1'],
      [withMonday({ start: 0, end: 10, x: 1 }), 'weekdays.0.ranges.0.x'],
    ] as const) {
      const answer = await client.call('POST', '/schedules', { name: 'x', weekdays });
      expect(answer.body).toMatchObject({ type: 'invalid_request', args: { field } });
    }
  });

  it('include tags that are created, edited and deleted, and removed from tagged objects', async () => {
    const client = await bridge().newOrganization();
    const tags = [];
    for (const name of ['VIP', 'Pool', 'Late']) {
      tags.push((await client.callOk('POST', '/tags', { name, color: '#ff8800' })).id);
    }
    const [vip, pool, late] = tags as [string, string, string];
    const edited = await client.callOk('PATCH', `/tags/${vip}`, { name: 'Very', color: null, metadata: { a: 'b' } });
    expect(edited).toMatchObject({ id: vip, name: 'Very', color: null, metadata: { a: 'b' }, is_deleted: false });

    expect(await client.callOk('PATCH', `/tags/${vip}`, { name: 'Very', color: null })).toEqual(edited);

    const orders = [[vip], [vip, pool], [pool, vip], [pool, vip, late], [pool]];
    const members: string[] = [];
    for (const tag_ids of orders) members.push((await client.callOk('POST', '/members', { tag_ids })).id);
    await client.callOk('DELETE', `/members/${members[0]}`);
    const group = await client.callOk('POST', '/member_groups', { name: 'G', tag_ids: [late, vip] });
    const { siteId } = await createTestDoor(bridge(), client);
    await client.callOk('PATCH', `/sites/${siteId}`, { tag_ids: [vip] });
    const deleted = await client.callOk('DELETE', `/tags/${vip}`);
    expect(await client.callOk('GET', `/sites/${siteId}`)).toMatchObject({ tag_ids: [] });
    expect(deleted).toEqual({ ...edited, is_deleted: true });
    for (const [index, tag_ids] of orders.entries()) {
      const member = await client.callOk('GET', `/members/${members[index]}`);
      expect(member['tag_ids']).toEqual(tag_ids.filter(id => id !== vip));
    }
    expect((await client.callOk('GET', `/member_groups/${group.id}?expand=tags`))['tags']).toMatchObject([
      { id: late },
    ]);
    expect((await client.callOk('GET', `/members?tag_id=${pool}`)).data).toHaveLength(4);

    expect(await client.callOk('DELETE', `/tags/${vip}`)).toEqual(deleted);
    expect((await client.call('PATCH', `/tags/${vip}`, { name: 'x' })).status).toBe(404);
    expect((await client.call('POST', '/members', { tag_ids: [pool, vip] })).body).toMatchObject({
      args: { field: 'tag_ids.1' },
    });
    expect((await eventsOf(bridge(), client)).filter(text => text.endsWith(vip))).toEqual(
      ['create', 'edit', 'delete'].map(verb => `${verb} tag ${vip}`),
    );
  });

  it('keep the tags of organizations separate', async () => {
    const client = await bridge().newOrganization();
    const stranger = await bridge().newOrganization();
    const tag = await client.callOk('POST', '/tags', { name: 'VIP' });
    expect((await stranger.get(`/tags/${tag.id}`)).status).toBe(404);
    expect((await stranger.call('DELETE', `/tags/${tag.id}`)).status).toBe(404);
    expect((await stranger.call('POST', '/members', { tag_ids: [tag.id] })).status).toBe(400);
    const member = await stranger.callOk('POST', '/members', {});
    await bridge()
      .services.storage.writer.updateTable('members')
      .set({ tag_ids: JSON.stringify([tag.id]) })
      .where('id', '=', member.id)
      .execute();
    await client.callOk('DELETE', `/tags/${tag.id}`);
    expect(await stranger.callOk('GET', `/members/${member.id}`)).toMatchObject({ tag_ids: [tag.id] });
    expect((await client.call('POST', '/tags', { color: '#fff' })).body).toMatchObject({ args: { field: 'name' } });
  });

  it('include the organization, whose metadata is merged', async () => {
    const client = await bridge().newOrganization();
    const organization = await client.callOk('GET', '/organization');
    expect(organization).toEqual({
      id: client.organizationId,
      name: 'Test',
      is_deleted: false,
      created_at: '2026-06-01T10:00:00.000Z',
      metadata: {},
    });
    await client.callOk('PATCH', '/organization', { metadata: { a: '1', b: '2' } });
    const edited = await client.callOk('PATCH', '/organization', { metadata: { a: null, c: '3' } });
    expect(edited).toEqual({ ...organization, metadata: { b: '2', c: '3' } });
    await client.callOk('PATCH', '/organization', { metadata: { b: '2' } });
    expect(await client.callOk('GET', '/organization')).toEqual(edited);
    expect(await eventsOf(bridge(), client)).toEqual(Array(2).fill(`edit organization ${client.organizationId}`));
    expect((await client.call('PATCH', '/organization', { name: 'x' })).body).toMatchObject({
      args: { field: 'name' },
    });
    await client.callOk('PATCH', '/organization', { metadata: { d: 'ä'.repeat(500) } });
    const large = await client.call('PATCH', '/organization', { metadata: { d: `${'ä'.repeat(500)}.` } });
    expect(large.body).toMatchObject({ type: 'invalid_request', args: { field: 'metadata' } });
  });
});
