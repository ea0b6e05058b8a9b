import { beforeAll, expect, it } from 'vitest';
import { type AdminClient, adminWithToken, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';

/** 8:00 to 18:00 on every day. */
const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end: 64_800 }] }));

describeOnSqliteFirst('POST /access_check', bridge => {
  let admin: AdminClient;
  let gadgetId: string;
  let groupId: string;
  let scheduleId: string;
  let memberId: string;
  let associationId: string;

  beforeAll(async () => {
    const client = await bridge().newOrganization();
    admin = await openAdminSession(bridge(), client.organizationId, 'front_desk');
    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    const door = await createTestDoor(bridge(), client);
    gadgetId = door.gadgetId;
    await owner.callOk('PATCH', `/sites/${door.siteId}`, { timezone: 'Europe/Berlin' });
    scheduleId = (await owner.callOk('POST', '/schedules', { name: 'Day', weekdays })).id;
    groupId = (
      await owner.callOk('POST', '/member_groups', {
        name: 'Staff',
        permissions: [
          { gadget_id: gadgetId, access_methods: { card: true } },
          { gadget_id: gadgetId, schedule_id: scheduleId },
        ],
      })
    ).id;
    memberId = (await admin.callOk('POST', '/members', { name: 'Ann' })).id;
    associationId = (
      await owner.callOk('POST', `/members/${memberId}/group_associations`, { member_group_id: groupId })
    ).id;
  });

  const check = (more: object = {}) =>
    admin.callOk('POST', '/access_check', {
      member_id: memberId,
      gadget_id: gadgetId,
      action_id: 'open',
      access_method: 'pin',
      ...more,
    });

  it('names the rule that grants access', async () => {
    const at = '2026-06-01T10:00:00.000Z';
    const result = await check({ at });
    expect(result).toMatchObject({ is_granted: true, reason: null, at, is_complete: true });
    expect(result['steps']).toMatchObject([
      { about: 'member', passed: true, finding: 'inside' },
      { about: 'association', passed: true, member_group_association_id: associationId, member_group_id: groupId },
      { about: 'rule', passed: false, failed_filter: 'method', rule: [{ member_group_id: groupId, index: 0 }] },
      {
        about: 'rule',
        passed: true,
        failed_filter: null,
        rule: [{ member_group_id: groupId, index: 1, gadget_id: gadgetId, schedule_id: scheduleId, site_id: null }],
      },
    ]);
  });

  it('names the filter that denies access, at any time', async () => {
    const result = await check({ at: '2026-06-01T20:00:00.000Z' });
    expect(result).toMatchObject({ is_granted: false, reason: 'out_of_schedule' });
    expect((result['steps'] as object[]).at(-1)).toMatchObject({ failed_filter: 'schedule', passed: false });
    expect(await check({ at: '2026-06-01T20:00:00.000Z', access_method: 'card' })).toMatchObject({ is_granted: true });
  });

  it('explains members without access and deleted members', async () => {
    const { id } = await admin.callOk('POST', '/members', { name: 'Ben', ends_at: '2026-01-01T00:00:00Z' });
    expect(await check({ member_id: id, at: '2025-12-31T10:00:00Z' })).toMatchObject({ reason: 'no_group' });
    expect(await check({ member_id: id, at: '2026-01-01T00:00:00Z' })).toMatchObject({ reason: 'member_ended' });
    await admin.callOk('DELETE', `/members/${id}`);
    expect(await check({ member_id: id })).toMatchObject({ reason: 'member_deleted', is_granted: false });
  });

  it('opens nothing and is logged as an event', async () => {
    await check({ at: '2026-06-01T20:00:00.000Z' });
    expect((await admin.callOk('GET', `/events?object.type=gadget_action`)).data).toEqual([]);
    const { data } = await admin.callOk('GET', `/events?verb=check&object.member_id=${memberId}&limit=1`);
    expect(data).toMatchObject([
      {
        verb: 'check',
        reason: 'out_of_schedule',
        subject: { user_id: admin.userId },
        object: { type: 'member', gadget_id: gadgetId, gadget_action_id: 'open' },
      },
    ]);
  });

  it('writes no event for callers who may only read', async () => {
    const viewer = await openAdminSession(bridge(), admin.organizationId, 'viewer');
    const token = await adminWithToken(bridge(), admin.organizationId, 'full_read_only');
    const count = async () =>
      (await bridge().services.storage.reader.selectFrom('events').select('id').where('verb', '=', 'check').execute())
        .length;
    const before = await count();
    for (const reader of [viewer, token]) {
      const body = { member_id: memberId, gadget_id: gadgetId, action_id: 'open', access_method: 'pin' };
      const result = await reader.callOk('POST', '/access_check', { ...body, at: '2026-06-01T20:00:00.000Z' });
      expect(result).toMatchObject({ reason: 'out_of_schedule', is_granted: false });
      const unknown = await reader.call('POST', '/access_check', {
        ...body,
        member_id: 'mem_01jx5m8z6q0000000000000001',
      });
      expect(unknown.status).toBe(400);
    }
    expect(await count()).toBe(before);
  });

  it.each([
    ['member_id', { member_id: 'mem_01jx5m8z6q0000000000000001' }],
    ['gadget_id', { gadget_id: 'gad_01jx5m8z6q0000000000000001' }],
    ['action_id', { action_id: 'dance' }],
    ['access_method', { access_method: 'knock' }],
  ])('rejects an unknown %s', async (field, more) => {
    const body = { member_id: memberId, gadget_id: gadgetId, action_id: 'open', access_method: 'pin', ...more };
    const { status, body: error } = await admin.call('POST', '/access_check', body);
    expect([status, (error['args'] as Record<string, string>)['field']]).toEqual([400, field]);
  });
});
