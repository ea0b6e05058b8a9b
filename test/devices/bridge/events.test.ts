import { expect, it } from 'vitest';
import { DeviceHotel } from '../../support/devices/device-hotel.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';
import type { BridgeWorld } from '../../support/bridge/bridge-world.ts';

const rowsOf = (world: BridgeWorld, { organizationId }: { organizationId: string }) =>
  world.bridge.services.storage.reader
    .selectFrom('events')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('recorded_at')
    .execute();

onBothEngines('what a controller tells', world => {
  it('is in the log once, in its own words, and acknowledged when it is committed', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller, gadgetId, siteId } = hotel;
    const member_id = (await hotel.member()) as never;
    const happened = controller.event({
      kind: 'use',
      occurred_at: (world().now - 3_600_000) as never,
      time_trusted: false,
      subject: { member_id, member_pin_id: 'mp_1' as never, access_method: 'pin' },
      gadget_id: gadgetId as never,
      gadget_action_id: 'open',
    });
    const ack = controller.next('ack');
    await controller.say('events', { v: 1, events: [happened] });
    expect(await ack).toMatchObject({ v: 1, up_to: 1, event_ids: [] });
    expect(await client.done('GET', `/events/${happened.id}`)).toMatchObject({
      verb: 'use',
      subject: { member_id, member_pin_id: 'mp_1', access_method: 'pin', time_trusted: false },
      object: {
        type: 'gadget_action',
        gadget_id: gadgetId,
        gadget_action_id: 'open',
        device_id: controller.deviceId,
        site_id: siteId,
      },
      created_at: new Date(world().now - 3_600_000).toISOString(),
    });
    await controller.stop();
  });

  it('may come twice and in any order: every event is there once, and nothing unseen is acknowledged', async () => {
    const { client, controller, gadgetId } = await DeviceHotel.running(world());
    const event = () => controller.event({ kind: 'signal', gadget_id: gadgetId as never, gadget_signal_id: 'forced' });
    const [first, second, third, fourth] = [event(), event(), event(), event()];
    const tell = async (...events: (typeof first)[]) => {
      const ack = controller.next('ack');
      await controller.say('events', { v: 1, events });
      return ack;
    };
    expect(await tell(third)).toMatchObject({ v: 1, up_to: 0, event_ids: [third.id] });
    expect(await tell(first)).toMatchObject({ v: 1, up_to: 1, event_ids: [] });
    expect(await tell(first, first, second)).toMatchObject({ v: 1, up_to: 2, event_ids: [] });
    expect(await tell(second, third, fourth)).toMatchObject({ v: 1, up_to: 4, event_ids: [] });
    const ids = (await rowsOf(world(), client)).filter(row => row.object_type === 'gadget_signal').map(row => row.id);
    expect(ids).toEqual([third.id, first.id, second.id, fourth.id]);
    await controller.stop();
  });

  it('is acknowledged after a restart of the controller too, when the first acknowledgement was lost', async () => {
    const { client, controller, url, gadgetId } = await DeviceHotel.running(world());
    const event = controller.event({ kind: 'use', gadget_id: gadgetId as never, gadget_action_id: 'open' });
    await controller.say('events', { v: 1, events: [event] });
    controller.cut();
    await world().bridge.devices.idle();
    await controller.start(url);
    const ack = controller.next('ack');
    await controller.say('events', { v: 1, events: [event] });
    expect(await ack).toMatchObject({ up_to: 1 });
    expect((await rowsOf(world(), client)).filter(row => row.id === event.id)).toHaveLength(1);
    await controller.stop();
  });

  it('has denials with their reason, gaps with their extent, faults, and gadgets that it reads for another controller', async () => {
    const { client, controller, gadgetId } = await DeviceHotel.running(world());
    const gadget_id = gadgetId as never;
    const reader_device_id = world().bridge.services.newId('device');
    const events = [
      controller.event({ kind: 'deny', gadget_id, gadget_action_id: 'open', reason: 'out_of_schedule' }),
      controller.event({ kind: 'deny', reason: 'no_input_rule', subject: { access_method: 'card' } }),
      controller.event({ kind: 'gap', lost: { first: 10, last: 19, from: 1_770_000_000_000, to: null } }),
      controller.event({ kind: 'fault', fault: 'the relay does not answer' }),
      controller.event({ kind: 'fault', fault: 'the strike does not move', gadget_id, gadget_action_id: 'open' }),
      controller.event({ kind: 'use', gadget_id, gadget_action_id: 'open', reader_device_id }),
      controller.event({ kind: 'use', gadget_id: 'gad_foreign' as never, gadget_action_id: 'open' }),
      controller.event({ kind: 'from_the_future' }),
    ];
    const ack = controller.next('ack');
    await controller.say('events', { v: 1, events });
    await ack;
    const known = await Promise.all(events.map(({ id }) => client.done('GET', `/events/${id}`)));
    expect(known).toMatchObject([
      { verb: 'deny', reason: 'out_of_schedule', object: { type: 'gadget_action' } },
      { verb: 'deny', reason: 'no_input_rule', object: { type: 'device', device_id: controller.deviceId } },
      { reason: 'events_lost', subject: { client: { lost_count: '10', lost_from: '2026-02-02T02:40:00.000Z' } } },
      { reason: 'fault', subject: { client: { fault: 'the relay does not answer' } } },
      {
        verb: 'edit',
        reason: 'fault',
        object: { type: 'device', gadget_id: gadgetId, gadget_action_id: 'open' },
        subject: { client: { fault: 'the strike does not move' } },
      },
      { verb: 'use', subject: { device_id: reader_device_id } },
      { verb: 'use', object: { type: 'device' } },
      { reason: 'from_the_future', object: { type: 'device' } },
    ]);
    await controller.stop();
  });

  it('counts a gap as told: what is lost is not waited for', async () => {
    const { controller } = await DeviceHotel.running(world());
    const gap = {
      ...controller.event({ kind: 'gap', lost: { first: 1, last: 5, from: null, to: null } }),
      sequence: 6,
    };
    const ack = controller.next('ack');
    await controller.say('events', { v: 1, events: [gap] });
    expect(await ack).toMatchObject({ up_to: 6 });
    await controller.stop();
  });

  it('is not believed when it is not signed by that very controller', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller, gadgetId } = hotel;
    const before = world().bridge.devices.droppedMessages;
    const event = controller.event({ kind: 'use', gadget_id: gadgetId as never, gadget_action_id: 'open' });
    const frame = Buffer.from(controller.encode('events', { v: 1, events: [event] }));
    const changed = Buffer.from(frame);
    changed[changed.length - 10]! ^= 1;
    const stranger = await DeviceHotel.running(world());
    const foreign = stranger.controller.encode('events', { v: 1, events: [event] });
    const topic = `lintel/v1/${controller.deviceId}/up/events`;
    for (const payload of [changed, foreign, frame.subarray(frame.indexOf('\n') + 1), Buffer.from('{}')]) {
      await controller.shout(topic, payload);
    }
    await world().bridge.devices.idle();
    const answer = controller.next('time');
    await controller.say('time-request', { v: 1, nonce: 'A'.repeat(22) });
    await answer;
    expect(world().bridge.devices.droppedMessages - before).toBe(4);
    expect((await rowsOf(world(), client)).some(row => row.id === event.id)).toBe(false);
    await stranger.controller.stop();
    await controller.stop();
  });

  it('makes the device online with its hello, and offline at once when the line is cut', async () => {
    const { client, controller, url } = await DeviceHotel.running(world());
    const online = async () =>
      ((await client.done('GET', `/devices/${controller.deviceId}`))['status'] as { online: boolean }).online;
    expect(await online()).toBe(true);
    controller.cut();
    await expect.poll(online).toBe(false);
    await controller.start(url);
    expect(await online()).toBe(true);
    await controller.say('goodbye', { v: 1, session_nonce: 'B'.repeat(22), reason: 'lost' });
    await world().bridge.devices.idle();
    expect(await online()).toBe(true);
    await controller.say('goodbye', { v: 1, session_nonce: controller.nonce, reason: 'stopping' });
    await expect.poll(online).toBe(false);
    const told = (await rowsOf(world(), client)).filter(row => row.object_type === 'device' && row.verb === 'edit');
    expect(told.map(row => row.reason)).toEqual(['online', 'offline', 'online', 'offline']);
    await controller.stop();
  });

  it('reports mains, battery and faults into the status, and states of its own gadgets', async () => {
    const { client, controller, gadgetId } = await DeviceHotel.running(world());
    const status = {
      v: 1,
      at: world().now,
      mains_present: true,
      battery_present: null,
      battery_charging: null,
    } as const;
    const fault = { code: 'relay', since: world().now, message: 'stuck' };
    const shownFault = { ...fault, since: new Date(world().now).toISOString() };
    await controller.say('status', { ...status, battery_percent: 55, waiting_events: 0, faults: [fault] });
    const gadgets = [
      { gadget_id: gadgetId as never, state_id: 'unlocked', since: world().now },
      { gadget_id: 'gad_foreign' as never, state_id: 'unlocked', since: world().now },
    ];
    await controller.say('state', { v: 1, gadgets });
    const shown = async () => (await client.done('GET', `/gadgets/${gadgetId}`))['state_id'];
    await expect.poll(shown).toBe('unlocked');
    expect(await client.done('GET', `/devices/${controller.deviceId}`)).toMatchObject({
      status: { online: true, mains_present: true, battery_present: false, battery_percent: 55, faults: [shownFault] },
    });
    await controller.stop();
  });

  it('carries its edit of the input rules to the desk, and keeps it for a person where the desk has changed them too', async () => {
    const { client, controller, gadgetId } = await DeviceHotel.running(world());
    const edit = async (code: string, base_revision: number | null) => {
      const answer = controller.next('rules');
      const input_rules = [{ code, gadget_id: gadgetId as never, action_id: 'open' }];
      await controller.say('rules-changed', {
        v: 1,
        base_revision,
        edited_at: world().now,
        pass_id: null,
        input_rules,
      });
      return (await answer).outcome;
    };
    const rules = async () => (await client.done('GET', `/devices/${controller.deviceId}`))['input_rules'];
    const base = controller.held!.revision;
    expect(await edit('1', base)).toBe('accepted');
    expect(await edit('1', base)).toBe('accepted');
    expect(await edit('2', base)).toBe('superseded');
    expect(await rules()).toMatchObject([{ code: '1' }]);
    const kept = await world()
      .bridge.services.storage.reader.selectFrom('rule_conflicts')
      .selectAll()
      .where('device_id', '=', controller.deviceId)
      .execute();
    expect(kept.map(row => JSON.parse(row.input_rules) as unknown)).toMatchObject([[{ code: '2' }]]);
    await controller.stop();
  });
});
