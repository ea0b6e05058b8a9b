import { forgetOldChanges } from '@lintel/cloud-bridge/devices/change-retention';
import { editDevice } from '@lintel/cloud-bridge/resources/devices';
import { createGadget } from '@lintel/cloud-bridge/resources/gadgets';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { aController, DeviceHotel } from '../../support/devices/device-hotel.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';
import { administer, door } from '../../support/bridge/place.ts';
import type { TestController } from '../../support/devices/test-controller.ts';

const slicesOf = ({ received }: TestController): string[] =>
  received.flatMap(({ kind, message }) => {
    if (kind !== 'slice' || !('put' in message)) return [];
    return [message.from === null ? 'snapshot' : 'delta'];
  });

/** The controller forgets what it holds and takes everything anew: what it then has is what it should have had. */
const takenAnew = async ({ controller }: DeviceHotel): Promise<Map<string, unknown>> => {
  const before = new Map<string, unknown>(controller.entries);
  const digest = controller.held?.digest;
  const next = controller.next('slice');
  await controller.say('sync-request', { v: 1, have: null, resume: null });
  await next;
  expect(controller.held?.digest).toBe(digest);
  return before;
};

onBothEngines('the slice of a controller', world => {
  it('comes whole after the first hello, and is what the door needs and no more', async () => {
    const hotel = await DeviceHotel.open(world());
    const { client, controller, url, groupId } = hotel;
    const inside = await hotel.member([groupId], '258013');
    await client.done('POST', `/members/${inside}/cards`, { uid: '04A1B2C3D4E5F6' });
    const outside = await hotel.member([], '9876');
    await controller.start(url);
    expect(controller.refused).toEqual([]);
    expect(hotel.held(outside)).toBeUndefined();
    const digest = (value: string) => controller.identity.digest('pin', value);
    expect(hotel.held(inside)).toMatchObject({
      group_associations: [{ member_group_id: groupId }],
      pins: [{ digest: digest('258013'), prefix_digests: [digest('2580'), digest('25801')] }],
      cards: [{ digest: controller.identity.digest('card', '04a1b2c3d4e5f6') }],
    });
    const text = JSON.stringify([...controller.entries.values()]);
    for (const secret of ['258013', '04a1b2c3d4e5f6', 'Ann', 'Guests']) expect(text).not.toContain(secret);
    await controller.stop();
  });

  it('follows what is done to members, and says nothing of members who have nothing to do with the door', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller } = hotel;
    const id = await hotel.member();
    await hotel.untilHeld(id);
    const { id: pinId } = await client.done('POST', `/members/${id}/pins`, { pin: '1357' });
    await controller.until(() => hotel.held(id)!.pins.length === 1, 'the PIN');
    await client.done('PATCH', `/members/${id}`, { ends_at: '2030-01-01T00:00:00Z' });
    await controller.until(() => hotel.held(id)!.ends_at === Date.parse('2030-01-01T00:00:00Z'), 'the end');
    await client.done('DELETE', `/members/${id}/pins/${pinId}`);
    await controller.until(() => hotel.held(id)!.pins.length === 0, 'the end of the PIN');
    const told = controller.received.length;
    await hotel.member([]);
    await client.done('DELETE', `/members/${id}`);
    await controller.until(() => hotel.held(id) === undefined, 'the end of the member');
    expect(controller.received.slice(told).map(({ kind }) => kind)).toEqual(['revoke', 'slice']);
    expect(slicesOf(controller).slice(1)).not.toContain('snapshot');
    expect(controller.refused).toEqual([]);
    await controller.stop();
  });

  it('follows groups: members come and go with the rules that lead to the door, directly or inherited', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller, gadgetId, groupId } = hotel;
    const { id: staff } = await client.done('POST', '/member_groups', { name: 'Staff', permissions: [] });
    const id = await hotel.member([staff]);
    await client.done('PATCH', `/member_groups/${staff}`, { permissions: [{ member_group_id: groupId }] });
    expect((await hotel.untilHeld(id)).group_associations).toMatchObject([{ member_group_id: staff }]);
    await client.done('PATCH', `/member_groups/${groupId}`, { permissions: [] });
    await controller.until(() => hotel.held(id) === undefined, 'the end of the rule');
    await client.done('PATCH', `/member_groups/${staff}`, { permissions: [{ gadget_id: gadgetId }] });
    await hotel.untilHeld(id);
    await client.done('DELETE', `/member_groups/${staff}`);
    await controller.until(() => hotel.held(id) === undefined, 'the end of the group');
    expect(await takenAnew(hotel)).toEqual(controller.entries);
    await controller.stop();
  });

  it('keeps an association with a group that opens nothing here, so that the door can tell wrong from none', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller, groupId } = hotel;
    const { id: pool } = await client.done('POST', '/member_groups', { name: 'Pool', permissions: [] });
    const id = await hotel.member([groupId, pool]);
    const groups = () => hotel.held(id)?.group_associations.map(({ member_group_id }) => member_group_id);
    await controller.until(() => groups()?.length === 2, 'both associations');
    expect(groups()).toEqual([groupId, 'mg_elsewhere']);
    expect(controller.entries.get('member_group mg_elsewhere')).toMatchObject({ permissions: [] });
    expect(controller.entries.has(`member_group ${pool}`)).toBe(false);
    await client.done('DELETE', `/member_groups/${pool}`);
    await controller.until(() => groups()?.length === 1, 'the end of the other group');
    await controller.stop();
  });

  it('follows the device: a new gadget, and rules that lead to a gadget of another controller', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller, siteId } = hotel;
    const other = await aController(world(), client, siteId);
    const { data } = await client.done('GET', `/gadgets?device_id=${other.deviceId}`);
    const remote = data[0]!.id;
    const { id: group } = await client.done('POST', '/member_groups', {
      name: 'Other',
      permissions: [{ gadget_id: remote }],
    });
    const id = await hotel.member([group]);
    const input_rules = [{ code: '', gadget_id: remote, action_id: 'open' }];
    await administer(world(), client, context => editDevice(context, controller.deviceId, { input_rules }));
    await hotel.untilHeld(id);
    expect(controller.entries.get(`gadget ${remote}`)).toMatchObject({ device_id: other.deviceId });
    const { serial } = other.claimed;
    expect(controller.entries.get(`peer ${other.deviceId}`)).toMatchObject({ serial });
    const { id: added } = await administer(world(), client, context =>
      createGadget(context, controller.deviceId, door),
    );
    await controller.until(() => controller.entries.has(`gadget ${added}`), 'the new gadget');
    await administer(world(), client, context => editDevice(context, controller.deviceId, { input_rules: [] }));
    await controller.until(() => !controller.entries.has(`peer ${other.deviceId}`), 'the end of the rule');
    expect(hotel.held(id)).toBeUndefined();
    await controller.stop();
  });

  it('is told as a delta to a controller that comes back, as long as it is known what it holds', async () => {
    const hotel = await DeviceHotel.running(world());
    const { controller, url } = hotel;
    await controller.stop();
    const id = await hotel.member();
    await controller.start(url);
    await hotel.untilHeld(id);
    expect(slicesOf(controller).at(-1)).toBe('delta');
    await controller.stop();
    controller.held = { revision: controller.held!.revision, digest: '0'.repeat(64) };
    await controller.start(url);
    await controller.until(() => slicesOf(controller).at(-1) === 'snapshot', 'a snapshot');
    expect(controller.digest()).toBe(controller.held.digest);
    await controller.stop();
  });

  it('comes anew to a controller that has been away for longer than changes are kept', async () => {
    const hotel = await DeviceHotel.running(world());
    const { controller, url } = hotel;
    await controller.stop();
    const id = await hotel.member();
    world().passSeconds(31 * 86_400);
    await forgetOldChanges(world().bridge.services.storage, world().now);
    await controller.start(url);
    await hotel.untilHeld(id);
    expect(slicesOf(controller).at(-1)).toBe('snapshot');
    const client = await world().newApplication(hotel.client.organizationId);
    const { id: pinId } = await client.done('POST', `/members/${id}/pins`, { pin: '8642' });
    await controller.until(() => hotel.held(id)?.pins.length === 1, 'a change after the horizon');
    expect(pinId).toBe(hotel.held(id)?.pins[0]?.id);
    await controller.stop();
  });

  it('comes anew to a controller that serves something else than it was sent', async () => {
    const hotel = await DeviceHotel.running(world());
    const { controller } = hotel;
    const snapshot = controller.next('slice');
    await controller.say('serving', {
      v: 1,
      revision: controller.held!.revision,
      digest: '0'.repeat(64),
      at: world().now,
    });
    expect((await snapshot).from).toBeNull();
    await controller.stop();
  });

  it('is the same after any number of deltas as after a snapshot', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller, gadgetId, groupId } = hotel;
    const groups = [groupId];
    const members: string[] = [];
    const one = (list: readonly string[], choice: number): string => list[choice % list.length]!;
    const steps: Record<string, (choice: number) => Promise<unknown>> = {
      member: async () => members.push(await hotel.member([])),
      join: choice =>
        client.call('POST', `/members/${one(members, choice)}/group_associations`, {
          member_group_id: one(groups, choice >> 3),
        }),
      pin: choice => client.call('POST', `/members/${one(members, choice)}/pins`, { length: 4 + (choice % 5) }),
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
    const plans = fc.sample(fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat(1000)), { numRuns: 120, seed: 7 });
    for (const [name, choice] of plans) await steps[name]!(choice);
    const { id: lasting } = await client.done('POST', '/member_groups', { name: 'Last', permissions: [{}] });
    const last = await hotel.member([lasting]);
    await hotel.untilHeld(last);
    expect(controller.refused).toEqual([]);
    expect(await takenAnew(hotel)).toEqual(new Map<string, unknown>(controller.entries));
    await controller.stop();
  });

  it('comes in chunks when it is large, and goes on where it was interrupted', async () => {
    const hotel = await DeviceHotel.open(world());
    const { controller, url, groupId, client } = hotel;
    await administer(world(), client, async ({ db, newId, organizationId, now }) => {
      const common = { organization_id: organizationId, is_deleted: 0, created_at: now, metadata: '{}' } as const;
      const range = { starts_at: null, ends_at: null };
      for (let page = 0; page < 25; page++) {
        const ids = Array.from({ length: 500 }, () => newId('member'));
        const shown = { name: 'Crowd', language: null, tag_ids: '[]', expired_for: null };
        await db
          .insertInto('members')
          .values(ids.map(id => ({ id, ...common, ...range, ...shown })))
          .execute();
        const held = ids.map(member_id => {
          const id = newId('member_group_association');
          return { id, member_id, member_group_id: groupId, ...common, ...range };
        });
        await db.insertInto('member_group_associations').values(held).execute();
      }
    });
    controller.answersSlices = false;
    await controller.connect(url);
    const first = controller.next('slice');
    await controller.hello();
    const { chunks, to } = await first;
    expect(chunks).toBeGreaterThan(8);
    await controller.until(() => controller.of('slice').length === 8, 'the first group of chunks');
    const late = await hotel.member();
    await controller.stop();
    controller.answersSlices = true;
    await controller.start(url);
    await hotel.untilHeld(late);
    const numbers = controller.of('slice').map(({ to: revision, chunk }) => (revision === to ? chunk : 'delta'));
    expect(numbers).toEqual([...Array.from({ length: chunks }, (_, chunk) => chunk), 'delta']);
    expect(controller.refused).toEqual([]);
    await controller.stop();
  }, 60_000);
});
