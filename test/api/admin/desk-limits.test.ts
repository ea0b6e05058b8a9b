import { DAY_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import { runAlerts } from '@lintel/cloud-bridge/testing';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { beforeEach, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestSite, door } from '../../support/bridge/site-fixtures.ts';

describeOnSqliteFirst('limits of the front desk', bridge => {
  let owner: AdminClient;
  let desk: AdminClient;
  let room: string;
  let house: string;

  const inDays = (days: number): string => toDateTime(instant(bridge().now + days * DAY_MS));
  const newGroup = async (name: string, permissions: object[]): Promise<string> =>
    (await owner.callOk('POST', '/member_groups', { name, permissions })).id;
  const newMember = async (by: AdminClient, groupIds: readonly string[], ends_at: string | null): Promise<string> => {
    const { id } = await by.callOk('POST', '/members', { name: 'Ann', ends_at });
    for (const member_group_id of groupIds)
      await by.callOk('POST', `/members/${id}/group_associations`, { member_group_id });
    return id;
  };
  const refusal = async (by: AdminClient, method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object = {}) => {
    const response = await by.call(method, path, body);
    return [response.status, (response.body['args'] as { reason?: string } | undefined)?.reason];
  };

  beforeEach(async () => {
    const client = await bridge().newOrganization();
    const site_id = await createTestSite(bridge(), client);
    const { gadgetIds } = await createTestDevice(bridge(), client, { site_id, gadgets: [door, door] });
    owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    desk = await openAdminSession(bridge(), client.organizationId, 'front_desk');
    room = await newGroup('Room 101', [{ gadget_id: gadgetIds[0] }]);
    house = await newGroup('Management', [{}]);
  });

  it('are groups with one door and 31 days, until an administrator decides', async () => {
    expect(await desk.callOk('GET', '/desk_limits')).toEqual({
      longest_stay_days: 31,
      member_groups: expect.arrayContaining([
        { member_group_id: room, may_give: true, is_default: true },
        { member_group_id: house, may_give: false, is_default: true },
      ]),
    });
    expect(await refusal(desk, 'PATCH', '/desk_limits', { longest_stay_days: null })).toEqual([
      403,
      'missing_permission',
    ]);
    const guest = await newMember(desk, [room], inDays(3));
    expect(await refusal(desk, 'POST', `/members/${guest}/pins`, { length: 6 })).toEqual([200, undefined]);
    const path = `/members/${guest}/group_associations`;
    expect(await refusal(desk, 'POST', path, { member_group_id: house })).toEqual([403, 'desk_group']);
    await owner.callOk('PATCH', '/desk_limits', { member_groups: [{ member_group_id: house, may_give: true }] });
    expect(await refusal(desk, 'POST', path, { member_group_id: house })).toEqual([200, undefined]);
    const none = [{ member_group_id: house, may_give: null }];
    expect((await owner.callOk('PATCH', '/desk_limits', { member_groups: none }))['member_groups']).toEqual(
      expect.arrayContaining([{ member_group_id: house, may_give: false, is_default: true }]),
    );
  });

  it('limit every stay: without an end, by a later end, and by the dates of a group', async () => {
    expect(await refusal(desk, 'POST', '/members', { name: 'No access yet' })).toEqual([200, undefined]);
    const endless = await newMember(owner, [room], null);
    expect(await refusal(desk, 'POST', `/members/${endless}/pins`, { length: 6 })).toEqual([403, 'desk_stay']);
    const { id } = await desk.callOk('POST', '/members', { name: 'Bo' });
    const path = `/members/${id}/group_associations`;
    expect(await refusal(desk, 'POST', path, { member_group_id: room })).toEqual([403, 'desk_stay']);
    const association = await desk.callOk('POST', path, { member_group_id: room, ends_at: inDays(5) });
    expect(await refusal(desk, 'PATCH', `${path}/${association.id}`, { ends_at: inDays(40) })).toEqual([
      403,
      'desk_stay',
    ]);
    const guest = await newMember(desk, [room], inDays(5));
    expect(await refusal(desk, 'PATCH', `/members/${guest}`, { ends_at: inDays(40) })).toEqual([403, 'desk_stay']);
    expect(await refusal(desk, 'PATCH', `/members/${guest}`, { ends_at: null })).toEqual([403, 'desk_stay']);
    expect(await refusal(desk, 'PATCH', `/members/${guest}`, { ends_at: inDays(30) })).toEqual([200, undefined]);
    // A booking for later is as long as its dates.
    const later = { starts_at: inDays(60), ends_at: inDays(80) };
    expect(await refusal(desk, 'PATCH', `/members/${guest}`, later)).toEqual([200, undefined]);
    await owner.callOk('PATCH', '/desk_limits', { longest_stay_days: null });
    expect(await refusal(desk, 'PATCH', `/members/${guest}`, { ends_at: null })).toEqual([200, undefined]);
  });

  it('cover every way to a credential of somebody with more access', async () => {
    const manager = await newMember(owner, [house], inDays(3));
    const pin = await owner.callOk('POST', `/members/${manager}/pins`, { length: 6 });
    const link = await owner.callOk('POST', `/members/${manager}/magic_links`);
    const path = `/members/${manager}`;
    for (const [kind, body] of [
      ['pins', { length: 6 }],
      ['magic_links', {}],
      ['cards', { uid: '04a1b2c3d4e5f6' }],
      ['emails', { email: 'pepe@example.test' }],
      [`pins/${pin.id}/reveal`, {}],
      [`magic_links/${link.id}/reveal`, {}],
    ] as const)
      expect([kind, ...(await refusal(desk, 'POST', `${path}/${kind}`, body))]).toEqual([kind, 403, 'desk_group']);
    expect(await refusal(desk, 'PATCH', path, { ends_at: inDays(6) })).toEqual([403, 'desk_group']);
    // Nothing that takes access away is refused, nor what does not concern it.
    expect(await refusal(desk, 'PATCH', path, { name: 'Renamed' })).toEqual([200, undefined]);
    expect(await refusal(desk, 'DELETE', `${path}/pins/${pin.id}`)).toEqual([200, undefined]);
    expect(await refusal(desk, 'PATCH', path, { ends_at: inDays(1) })).toEqual([200, undefined]);
    expect(await refusal(desk, 'DELETE', path)).toEqual([200, undefined]);
    expect(await refusal(desk, 'PATCH', path, { is_deleted: false })).toEqual([403, 'desk_group']);
    expect(await refusal(owner, 'PATCH', path, { is_deleted: false })).toEqual([200, undefined]);
  });

  it('leave nothing behind of a refused write', async () => {
    const guest = await newMember(desk, [room], inDays(3));
    const path = `/members/${guest}/group_associations`;
    await refusal(desk, 'POST', path, { member_group_id: house });
    expect((await owner.callOk('GET', path)).data).toHaveLength(1);
  });

  it('do not stop an administrator, whose gift of all doors is an alert', async () => {
    const webhook = { url: 'https://pms.example.com/alerts', format: 'json' };
    await owner.callOk('POST', '/alert_rules', { name: 'All doors', kind: 'all_doors_access', webhook });
    await newMember(owner, [room], null);
    const texts = async (): Promise<string[]> => {
      await runAlerts(bridge().services);
      const { items } = await owner.callOk('GET', '/active_alerts');
      return (items as { readonly text: string }[]).map(({ text }) => text);
    };
    expect(await texts()).toEqual([]);
    const { id } = await owner.callOk('POST', '/members', { name: 'Pepe' });
    await owner.callOk('POST', `/members/${id}/group_associations`, { member_group_id: house });
    expect(await texts()).toEqual([expect.stringMatching(/^Pepe now has access to all doors of /)]);
    await owner.callOk('DELETE', `/members/${id}`);
    expect(await texts()).toEqual([]);
  });
});
