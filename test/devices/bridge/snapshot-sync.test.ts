import { insertMembers, runDeletionOfAccessChanges } from '@lintel/cloud-bridge/testing';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { claimController, ControllerSite } from '../../support/devices/controller-site.ts';
import { callAsOwner } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { door } from '../../support/bridge/site-fixtures.ts';
import { iterations, runSeed } from '../../support/test-iterations-and-seed.ts';
import type { TestController } from '../../support/devices/test-controller.ts';

const transfersOf = ({ received }: TestController): string[] =>
  received.flatMap(({ kind, message }) => {
    if (kind !== 'snapshot' || !('put' in message)) return [];
    return [message.from === null ? 'snapshot' : 'delta'];
  });

/** Requests a full snapshot and returns the entries from before: both must be the same. */
const entriesBeforeSnapshot = async ({ controller }: ControllerSite): Promise<Map<string, unknown>> => {
  const before = new Map<string, unknown>(controller.entries);
  const digest = controller.snapshot?.digest;
  const next = controller.next('snapshot');
  await controller.send('sync-request', { v: 1, have: null, resume: null });
  await next;
  expect(controller.snapshot?.digest).toBe(digest);
  return before;
};

describeOnSqliteFirst('access snapshot of a controller', bridge => {
  it('is sent in full after the first hello, with only what the door needs and without secrets', async () => {
    const site = await ControllerSite.open(bridge());
    const { client, controller, url, groupId } = site;
    const inside = await site.createMember([groupId], '258013');
    await client.callOk('POST', `/members/${inside}/cards`, { uid: '04A1B2C3D4E5F6' });
    const outside = await site.createMember([], '9876');
    await controller.start(url);
    expect(controller.rejections).toEqual([]);
    expect(site.cachedMember(outside)).toBeUndefined();
    const digest = (value: string) => controller.identity.digest('pin', value);
    expect(site.cachedMember(inside)).toMatchObject({
      group_associations: [{ member_group_id: groupId }],
      pins: [{ digest: digest('258013') }],
      cards: [{ digest: controller.identity.digest('card', '04a1b2c3d4e5f6') }],
    });
    const text = JSON.stringify([...controller.entries.values()]);
    for (const secret of ['258013', '04a1b2c3d4e5f6', 'Ann', 'Guests']) expect(text).not.toContain(secret);
    await controller.stop();
  });

  it('leaves out a PIN that cannot be unsealed, reports it, and contains everything else', async () => {
    const site = await ControllerSite.open(bridge());
    const { client, controller, url, groupId } = site;
    const damaged = await site.createMember([groupId], '258014');
    await client.callOk('POST', `/members/${damaged}/cards`, { uid: '04A1B2C3D4E5F7' });
    const intact = await site.createMember([groupId], '369258');
    const { data } = await client.callOk('GET', `/members/${damaged}/pins`);
    const pinId = data[0]!.id;
    const db = bridge().services.storage.writer;
    await db.updateTable('member_pins').set({ sealed: 'v1.AAAA' }).where('id', '=', pinId).execute();
    await controller.start(url);
    expect(site.cachedMember(damaged)).toMatchObject({ pins: [], cards: [{}] });
    expect(site.cachedMember(intact)).toMatchObject({ pins: [{}] });
    expect(bridge().devices.faults.list()).toContainEqual(
      expect.objectContaining({ code: `credential:${pinId}`, member_id: damaged, member_pin_id: pinId }),
    );
    await controller.stop();
  });

  it('follows changes of members, and leaves out members without access to the door', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller } = site;
    const id = await site.createMember();
    await site.waitUntilMemberCached(id);
    const { id: pinId } = await client.callOk('POST', `/members/${id}/pins`, { pin: '1357' });
    await controller.waitUntil(() => site.cachedMember(id)!.pins.length === 1, 'the PIN in the snapshot');
    await client.callOk('PATCH', `/members/${id}`, { ends_at: '2030-01-01T00:00:00Z' });
    await controller.waitUntil(
      () => site.cachedMember(id)!.ends_at === Date.parse('2030-01-01T00:00:00Z'),
      'the end date in the snapshot',
    );
    await client.callOk('DELETE', `/members/${id}/pins/${pinId}`);
    await controller.waitUntil(() => site.cachedMember(id)!.pins.length === 0, 'the PIN to be removed');
    const before = controller.received.length;
    await site.createMember([]);
    await client.callOk('DELETE', `/members/${id}`);
    await controller.waitUntil(() => site.cachedMember(id) === undefined, 'the member to be removed');
    expect(controller.received.slice(before).map(({ kind }) => kind)).toEqual(['revoke', 'snapshot']);
    expect(transfersOf(controller).slice(1)).not.toContain('snapshot');
    expect(controller.rejections).toEqual([]);
    await controller.stop();
  });

  it('says which PINs a longer PIN of the organization extends, and again when that PIN is added or withdrawn', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller } = site;
    const short = await site.createMember(undefined, '1357');
    const middle = await site.createMember(undefined, '135791');
    await site.waitUntilMemberCached(short);
    await site.waitUntilMemberCached(middle);
    const isExtended = (id: string) => site.cachedMember(id)?.pins.map(pin => 'extended' in pin);
    const waitUntilExtended = (expected: readonly boolean[]) =>
      controller.waitUntil(
        () => [short, middle].every((id, index) => isExtended(id)?.[0] === expected[index]),
        `the flags ${expected.join()}`,
      );
    await waitUntilExtended([true, false]);
    const outside = await site.createMember([], '13579111');
    await waitUntilExtended([true, true]);
    await client.callOk('DELETE', `/members/${outside}`);
    await waitUntilExtended([true, false]);
    await client.callOk('PATCH', `/members/${outside}`, { is_deleted: false });
    await waitUntilExtended([true, true]);
    await client.callOk('DELETE', `/members/${middle}`);
    await client.callOk('DELETE', `/members/${outside}`);
    await controller.waitUntil(() => isExtended(short)?.[0] === false, 'no longer PIN');
    expect(await entriesBeforeSnapshot(site)).toEqual(controller.entries);
    expect(controller.rejections).toEqual([]);
    await controller.stop();
  });

  it('adds and removes members with the permissions of their groups, direct or inherited', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller, gadgetId, groupId } = site;
    const { id: staff } = await client.callOk('POST', '/member_groups', { name: 'Staff', permissions: [] });
    const id = await site.createMember([staff]);
    await client.callOk('PATCH', `/member_groups/${staff}`, { permissions: [{ member_group_id: groupId }] });
    expect((await site.waitUntilMemberCached(id)).group_associations).toMatchObject([{ member_group_id: staff }]);
    await client.callOk('PATCH', `/member_groups/${groupId}`, { permissions: [] });
    await controller.waitUntil(() => site.cachedMember(id) === undefined, 'the permission to be removed');
    await client.callOk('PATCH', `/member_groups/${staff}`, { permissions: [{ gadget_id: gadgetId }] });
    await site.waitUntilMemberCached(id);
    await client.callOk('DELETE', `/member_groups/${staff}`);
    await controller.waitUntil(() => site.cachedMember(id) === undefined, 'the group to be removed');
    expect(await entriesBeforeSnapshot(site)).toEqual(controller.entries);
    await controller.stop();
  });

  it('keeps an anonymous association for groups without access to the door, to tell a wrong group from none', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller, groupId } = site;
    const { id: pool } = await client.callOk('POST', '/member_groups', { name: 'Pool', permissions: [] });
    const id = await site.createMember([groupId, pool]);
    const groups = () => site.cachedMember(id)?.group_associations.map(({ member_group_id }) => member_group_id);
    await controller.waitUntil(() => groups()?.length === 2, 'both associations in the snapshot');
    expect(groups()).toEqual([groupId, 'mg_elsewhere']);
    expect(controller.entries.get('member_group mg_elsewhere')).toMatchObject({ permissions: [] });
    expect(controller.entries.has(`member_group ${pool}`)).toBe(false);
    await client.callOk('DELETE', `/member_groups/${pool}`);
    await controller.waitUntil(() => groups()?.length === 1, 'the other group to be removed');
    await controller.stop();
  });

  it('follows new gadgets, and input rules for a gadget of another controller', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller, siteId } = site;
    const other = await claimController(bridge(), client, siteId);
    const { data } = await client.callOk('GET', `/gadgets?device_id=${other.deviceId}`);
    const remote = data[0]!.id;
    const { id: group } = await client.callOk('POST', '/member_groups', {
      name: 'Other',
      permissions: [{ gadget_id: remote }],
    });
    const id = await site.createMember([group]);
    const input_rules = [{ code: '', gadget_id: remote, action_id: 'open' }];
    await callAsOwner(bridge(), client, 'PUT', `/devices/${controller.deviceId}/input_rules`, { input_rules });
    await site.waitUntilMemberCached(id);
    expect(controller.entries.get(`gadget ${remote}`)).toMatchObject({ device_id: other.deviceId });
    const { serial } = other.claimed;
    expect(controller.entries.get(`peer ${other.deviceId}`)).toMatchObject({ serial });
    const { id: added } = await callAsOwner(bridge(), client, 'POST', '/gadgets', {
      device_id: controller.deviceId,
      ...door,
    });
    await controller.waitUntil(() => controller.entries.has(`gadget ${added}`), 'the new gadget in the snapshot');
    await callAsOwner(bridge(), client, 'PUT', `/devices/${controller.deviceId}/input_rules`, { input_rules: [] });
    await controller.waitUntil(() => !controller.entries.has(`peer ${other.deviceId}`), 'the permission to be removed');
    expect(site.cachedMember(id)).toBeUndefined();
    await controller.stop();
  });

  it('is sent as a delta after a reconnect if the digest matches, and in full otherwise', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { controller, url } = site;
    await controller.stop();
    const id = await site.createMember();
    await controller.start(url);
    await site.waitUntilMemberCached(id);
    expect(transfersOf(controller).at(-1)).toBe('delta');
    await controller.stop();
    controller.snapshot = { revision: controller.snapshot!.revision, digest: '0'.repeat(64) };
    await controller.start(url);
    await controller.waitUntil(() => transfersOf(controller).at(-1) === 'snapshot', 'a snapshot');
    expect(controller.digest()).toBe(controller.snapshot.digest);
    await controller.stop();
  });

  it('is sent in full to a controller that was offline longer than changes are kept', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { controller, url } = site;
    await controller.stop();
    const id = await site.createMember();
    bridge().advanceSeconds(31 * 86_400);
    await runDeletionOfAccessChanges(bridge().services);
    const transfersBefore = transfersOf(controller).length;
    await controller.start(url);
    await site.waitUntilMemberCached(id);
    expect(transfersOf(controller)[transfersBefore]).toBe('snapshot');
    const client = await bridge().newApplication(site.client.organizationId);
    const { id: pinId } = await client.callOk('POST', `/members/${id}/pins`, { pin: '8642' });
    await controller.waitUntil(() => site.cachedMember(id)?.pins.length === 1, 'the PIN in the snapshot');
    expect(pinId).toBe(site.cachedMember(id)?.pins[0]?.id);
    await controller.stop();
  });

  it('is sent in full again to a controller that reports another digest', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { controller } = site;
    const snapshot = controller.next('snapshot');
    await controller.send('active-revision', {
      v: 1,
      revision: controller.snapshot!.revision,
      digest: '0'.repeat(64),
      at: bridge().now,
    });
    expect((await snapshot).from).toBeNull();
    await controller.stop();
  });

  it('is the same after any number of deltas as after a full transfer', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller, gadgetId, groupId } = site;
    const groups = [groupId];
    const members: string[] = [];
    const one = (list: readonly string[], choice: number): string => list[choice % list.length]!;
    const steps: Record<string, (choice: number) => Promise<unknown>> = {
      member: async () => members.push(await site.createMember([])),
      join: choice =>
        client.call('POST', `/members/${one(members, choice)}/group_associations`, {
          member_group_id: one(groups, choice >> 3),
        }),
      pin: choice => client.call('POST', `/members/${one(members, choice)}/pins`, { length: 4 + (choice % 5) }),
      relatedPin: choice =>
        client.call('POST', `/members/${one(members, choice)}/pins`, { pin: '97531864'.slice(0, 4 + (choice % 5)) }),
      withdrawPin: async choice => {
        const member = one(members, choice);
        const { data } = await client.callOk('GET', `/members/${member}/pins`);
        for (const { id } of data) await client.call('DELETE', `/members/${member}/pins/${id}`);
      },
      dates: choice =>
        client.call('PATCH', `/members/${one(members, choice)}`, { ends_at: choice % 2 ? null : '2031-01-01' }),
      remove: choice => client.call('DELETE', `/members/${one(members, choice)}`),
      restore: choice => client.call('PATCH', `/members/${one(members, choice)}`, { is_deleted: false }),
      group: async choice => {
        const inherited = { member_group_id: one(groups, choice) };
        const rule = [{ gadget_id: gadgetId }, inherited, {}][choice % 3]!;
        const { status, body } = await client.call('POST', '/member_groups', { name: 'More', permissions: [rule] });
        if (status === 200) groups.push(body.id);
      },
      rules: choice =>
        client.call('PATCH', `/member_groups/${one(groups, choice)}`, {
          permissions: choice % 2 ? [] : [{ gadget_id: gadgetId }],
        }),
      drop: choice => client.call('DELETE', `/member_groups/${one(groups, choice)}`),
    };
    await steps['member']!(1);
    const step = fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat(1000));
    const numRuns = iterations({ sample: 40, all: 120 });
    for (const [name, choice] of fc.sample(step, { numRuns, seed: runSeed() })) await steps[name]!(choice);
    const { id: lasting } = await client.callOk('POST', '/member_groups', { name: 'Last', permissions: [{}] });
    const last = await site.createMember([lasting]);
    await site.waitUntilMemberCached(last);
    expect(controller.rejections).toEqual([]);
    expect(await entriesBeforeSnapshot(site)).toEqual(new Map<string, unknown>(controller.entries));
    await controller.stop();
  });
});

describeOnSqliteFirst(
  'access snapshot in chunks',
  bridge => {
    it.each([false, true])('resumes at the first missing chunk after a reconnect (open snapshots: %s)', async open => {
      const site = await ControllerSite.open(bridge());
      const { controller, url, groupId, client } = site;
      await insertMembers(bridge().services, client.organizationId, { count: 200, groupId });
      controller.confirmsSnapshots = false;
      await controller.connect(url);
      const first = controller.next('snapshot');
      await controller.hello({ accepts_open_snapshots: open });
      const { to } = await first;
      await controller.waitUntil(() => controller.messagesOf('snapshot').length === 8, 'the first 8 chunks');
      const late = await site.createMember();
      await controller.stop();
      controller.confirmsSnapshots = true;
      await controller.start(url);
      await site.waitUntilMemberCached(late);
      const received = controller.messagesOf('snapshot');
      const chunks = received.findLast(({ to: revision }) => revision === to)!.chunks!;
      expect(chunks).toBeGreaterThan(8);
      const numbers = received.map(({ to: revision, chunk }) => (revision === to ? chunk : 'delta'));
      expect(numbers).toEqual([...Array.from({ length: chunks }, (_, chunk) => chunk), 'delta']);
      expect(controller.rejections).toEqual([]);
      await controller.stop();
    });
  },
  { chunkCharacters: 4096 },
);
