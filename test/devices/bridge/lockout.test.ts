import { DAY_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { claimController, ControllerSite } from '../../support/devices/controller-site.ts';

interface Lockout {
  readonly opens_other_doors: boolean;
  readonly doors: readonly {
    readonly gadget_id: string;
    readonly status: string;
    readonly locked_out_at: string | null;
    readonly online: boolean;
    readonly offline_since: string | null;
  }[];
}

describeOnSqliteFirst('lockout of a member', bridge => {
  const open = async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller, groupId, siteId } = site;
    const other = await claimController(bridge(), client, siteId);
    await other.start(site.url);
    await client.callOk('PATCH', `/member_groups/${groupId}`, { permissions: [{ site_id: siteId }] });
    const id = await site.createMember([groupId], '1928');
    // A session ends when nobody uses it for days.
    const read = async () =>
      (await openAdminSession(bridge(), client.organizationId, 'front_desk')).callOk('GET', `/members/${id}/delivery`);
    const lockout = async () => (await read())['lockout'] as Lockout | null;
    const states = async () => (await lockout())?.doors.map(({ status }) => status) ?? null;
    const isServed = async () => {
      const { credentials } = (await read()) as unknown as {
        readonly credentials: readonly { readonly controllers: readonly { readonly status: string }[] }[];
      };
      return credentials[0]!.controllers.map(({ status }) => status);
    };
    await expect.poll(isServed).toEqual(['served', 'served']);
    const pass = (ms: number): string => toDateTime((bridge().now = instant(bridge().now + ms)));
    return { site, client, controller, other, id, lockout, states, pass };
  };

  it('names the doors that still open, and when the others have locked the member out', async () => {
    const { site, client, controller, other, id, lockout, states, pass } = await open();
    expect(await lockout()).toBeNull();
    const offlineSince = pass(60_000);
    await other.stop();
    await expect
      .poll(async () => (await client.callOk('GET', `/devices/${other.deviceId}`))['status'])
      .toMatchObject({ online: false });
    const endedAt = pass(60_000);
    await client.callOk('PATCH', `/members/${id}`, { ends_at: endedAt });
    await expect.poll(states).toEqual(expect.arrayContaining(['locked_out', 'still_opens']));
    expect(await lockout()).toMatchObject({
      opens_other_doors: false,
      doors: expect.arrayContaining([
        expect.objectContaining({ status: 'locked_out', locked_out_at: endedAt, offline_since: null }),
        expect.objectContaining({ status: 'still_opens', locked_out_at: null, offline_since: offlineSince }),
      ]),
    });
    // What is changed later does not make a confirmed door doubtful.
    const confirmedAt = pass(60_000);
    await other.start(site.url);
    await expect.poll(states).toEqual(['locked_out', 'locked_out']);
    await controller.stop();
    await client.callOk('PATCH', `/members/${id}`, { name: 'Renamed' });
    const { data: pins } = await client.callOk('GET', `/members/${id}/pins`);
    await client.callOk('DELETE', `/members/${id}/pins/${pins[0]!.id}`);
    const { data: groups } = await client.callOk('GET', `/members/${id}/group_associations`);
    await client.callOk('DELETE', `/members/${id}/group_associations/${groups[0]!.id}`);
    await client.callOk('DELETE', `/members/${id}`);
    const times = (await lockout())!.doors.map(({ locked_out_at }) => String(locked_out_at)).toSorted();
    expect(times).toEqual([endedAt, confirmedAt]);
    pass(DAY_MS + 60_000);
    expect(await lockout()).toBeNull();
    await other.stop();
  });

  it('covers a deleted member and a removed group, and ends when access is given back', async () => {
    const { client, controller, other, id, lockout, states, pass } = await open();
    pass(1000);
    const { data } = await client.callOk('GET', `/members/${id}/group_associations`);
    const [association] = data;
    await client.callOk('DELETE', `/members/${id}/group_associations/${association!.id}`);
    await expect.poll(states).toEqual(['locked_out', 'locked_out']);
    await client.callOk('POST', `/members/${id}/group_associations`, {
      member_group_id: association!['member_group_id'],
    });
    expect(await lockout()).toBeNull();
    await Promise.all([controller.stop(), other.stop()]);
    pass(1000);
    await client.callOk('DELETE', `/members/${id}`);
    expect(await states()).toEqual(['still_opens', 'still_opens']);
    // The doors are named as long as they open.
    pass(2 * DAY_MS);
    expect(await states()).toEqual(['still_opens', 'still_opens']);
  });
});

interface GroupDoor {
  readonly name: string;
  readonly status: string;
  readonly locked_out_at: string | null;
  readonly offline_since: string | null;
  readonly members_without: number;
  readonly members_with_less: number;
}

const week = (end: number) => Array.from({ length: 7 }, () => ({ ranges: [{ start: 8 * 3600, end: end * 3600 }] }));

describeOnSqliteFirst('lockout of a group', bridge => {
  /** Two controllers with a door each, and two members of a group with a rule for the whole site. */
  const open = async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, groupId, siteId } = site;
    const other = await claimController(bridge(), client, siteId);
    await other.start(site.url);
    await client.callOk('PATCH', `/member_groups/${groupId}`, { permissions: [{ site_id: siteId }] });
    const ids = [await site.createMember([groupId], '1928'), await site.createMember([groupId], '3746')];
    const desk = async () => openAdminSession(bridge(), client.organizationId, 'front_desk');
    const doors = async () =>
      (await (await desk()).callOk('GET', `/member_groups/${groupId}/lockout`))['doors'] as GroupDoor[];
    const states = async () => (await doors()).map(({ status }) => status);
    const memberLockout = async () =>
      (await (await desk()).callOk('GET', `/members/${ids[0]}/delivery`))['lockout'] as Lockout | null;
    const pass = (ms: number): string => toDateTime((bridge().now = instant(bridge().now + ms)));
    for (const controller of [site.controller, other])
      await controller.waitUntil(() => controller.entries.has(`member ${ids[1]}`), 'both members');
    const serves = async () => {
      const credentials = (await (await desk()).callOk('GET', `/members/${ids[1]}/delivery`))['credentials'];
      return (credentials as readonly { controllers: readonly { status: string }[] }[])[0]!.controllers.map(
        ({ status }) => status,
      );
    };
    await expect.poll(serves).toEqual(['served', 'served']);
    return { site, client, groupId, siteId, other, ids, doors, states, memberLockout, pass };
  };

  it('names the doors that still open after rules were edited, and how many members are concerned', async () => {
    const { site, client, groupId, other, doors, states, memberLockout, pass } = await open();
    expect(await doors()).toEqual([]);
    const offlineSince = pass(60_000);
    await other.stop();
    await expect.poll(() => site.isOnline(other.deviceId)).toBe(false);
    const editedAt = pass(60_000);
    await client.callOk('PATCH', `/member_groups/${groupId}`, { permissions: [] });
    await expect.poll(states).toEqual(expect.arrayContaining(['locked_out', 'still_opens']));
    const members = { members_without: 2, members_with_less: 0 };
    expect(await doors()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ status: 'locked_out', locked_out_at: editedAt, ...members }),
        expect.objectContaining({
          status: 'still_opens',
          locked_out_at: null,
          offline_since: offlineSince,
          ...members,
        }),
      ]),
    );
    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    const { items } = (await owner.callOk('GET', '/attention')) as unknown as { readonly items: readonly object[] };
    expect(items).toContainEqual(
      expect.objectContaining({ kind: 'credentials_pending', device_id: other.deviceId, count: 2 }),
    );
    // The page of a member says the same.
    expect((await memberLockout())!.doors.map(({ status }) => status).toSorted()).toEqual([
      'locked_out',
      'still_opens',
    ]);
    const confirmedAt = pass(60_000);
    await other.start(site.url);
    await expect.poll(states).toEqual(['locked_out', 'locked_out']);
    expect((await doors()).map(({ locked_out_at }) => String(locked_out_at)).toSorted()).toEqual([
      editedAt,
      confirmedAt,
    ]);
    pass(DAY_MS + 60_000);
    expect(await doors()).toEqual([]);
    expect(await memberLockout()).toBeNull();
    await other.stop();
  });

  it('covers a deleted group, but not members whose other groups open the door', async () => {
    const { site, client, groupId, siteId, other, ids, doors, states, pass } = await open();
    const { id: second } = await client.callOk('POST', '/member_groups', {
      name: 'Second',
      permissions: [{ site_id: siteId }],
    });
    await client.callOk('POST', `/members/${ids[1]}/group_associations`, { member_group_id: second });
    await other.stop();
    await expect.poll(() => site.isOnline(other.deviceId)).toBe(false);
    pass(1000);
    await client.callOk('DELETE', `/member_groups/${groupId}`);
    await expect.poll(states).toEqual(expect.arrayContaining(['locked_out', 'still_opens']));
    expect((await doors()).map(({ members_without }) => members_without)).toEqual([1, 1]);
    // The doors are named as long as they open.
    pass(2 * DAY_MS);
    expect(await states()).toEqual(['still_opens']);
  });

  it('covers times that an edited schedule takes away, and ends when they are given back', async () => {
    const { site, client, groupId, siteId, other, doors, states, pass } = await open();
    const { id } = await client.callOk('POST', '/schedules', { name: 'Day', weekdays: week(18) });
    const rule = { site_id: siteId, schedule_id: id };
    await client.callOk('PATCH', `/member_groups/${groupId}`, { permissions: [rule] });
    await expect.poll(states).toEqual(['locked_out', 'locked_out']);
    expect((await doors()).map(({ members_with_less }) => members_with_less)).toEqual([2, 2]);
    await other.stop();
    await expect.poll(() => site.isOnline(other.deviceId)).toBe(false);
    pass(1000);
    await client.callOk('PATCH', `/schedules/${id}`, { weekdays: week(12) });
    await expect.poll(states).toEqual(expect.arrayContaining(['locked_out', 'still_opens']));
    pass(1000);
    await client.callOk('PATCH', `/schedules/${id}`, { weekdays: week(20) });
    // What the rule took away before is confirmed.
    await expect.poll(states).toEqual(['locked_out', 'locked_out']);
    pass(1000);
    await client.callOk('DELETE', `/schedules/${id}`);
    await expect.poll(states).toEqual(expect.arrayContaining(['locked_out', 'still_opens']));
    expect((await doors()).map(({ members_without }) => members_without)).toEqual([2, 2]);
  });
});
