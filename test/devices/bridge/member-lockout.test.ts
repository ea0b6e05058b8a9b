import { DAY_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
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

describeOnBothDatabases('lockout of a member', bridge => {
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
