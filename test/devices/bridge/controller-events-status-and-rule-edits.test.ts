import { instant } from '@lintel/access-core/instant';
import { expect, it } from 'vitest';
import { runRetention } from '@lintel/cloud-bridge/testing';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { ControllerSite } from '../../support/devices/controller-site.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import type { TestBridge } from '../../support/bridge/test-bridge.ts';

const rowsOf = (bridge: TestBridge, { organizationId }: { organizationId: string }) =>
  bridge.services.storage.reader
    .selectFrom('events')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('recorded_at')
    .execute();

describeOnSqliteFirst('events from a controller', bridge => {
  it('records an event as the controller sent it, and acknowledges it after the commit', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller, gadgetId, siteId } = site;
    const member_id = (await site.createMember([site.groupId], '472911')) as never;
    const { data: pins } = await client.callOk('GET', `/members/${String(member_id)}/pins`);
    const happened = controller.event({
      kind: 'use',
      occurred_at: (bridge().now - 3_600_000) as never,
      time_trusted: false,
      device_time: (bridge().now - 7_200_000) as never,
      subject: { member_id, member_pin_id: pins[0]!.id as never, access_method: 'pin' },
      gadget_id: gadgetId as never,
      gadget_action_id: 'open',
    });
    const ack = controller.next('ack');
    await controller.send('events', { v: 1, events: [happened] });
    expect(await ack).toMatchObject({ v: 1, event_ids: [happened.id] });
    expect(await client.callOk('GET', `/events/${happened.id}`)).toMatchObject({
      verb: 'use',
      subject: {
        member_id,
        member_pin_id: pins[0]!.id,
        access_method: 'pin',
        time_trusted: false,
      },
      details: { device_time: new Date(bridge().now - 7_200_000).toISOString() },
      object: {
        type: 'gadget_action',
        gadget_id: gadgetId,
        gadget_action_id: 'open',
        device_id: controller.deviceId,
        site_id: siteId,
      },
      created_at: new Date(bridge().now - 3_600_000).toISOString(),
    });
    await controller.stop();
  });

  it('records each event once when events arrive twice and out of order, and acknowledges only what it has', async () => {
    const { client, controller, gadgetId } = await ControllerSite.openConnected(bridge());
    const event = () => controller.event({ kind: 'signal', gadget_id: gadgetId as never, gadget_signal_id: 'forced' });
    const [first, second, third, fourth] = [event(), event(), event(), event()];
    const send = async (...events: (typeof first)[]) => {
      const ack = controller.next('ack');
      await controller.send('events', { v: 1, events });
      return ack;
    };
    expect(await send(third)).toMatchObject({ v: 1, event_ids: [third.id] });
    expect(await send(first)).toMatchObject({ v: 1, event_ids: [first.id] });
    expect(await send(first, first, second)).toMatchObject({ v: 1, event_ids: [first.id, second.id] });
    expect(await send(second, third, fourth)).toMatchObject({ v: 1, event_ids: [second.id, third.id, fourth.id] });
    const ids = (await rowsOf(bridge(), client)).filter(row => row.object_type === 'gadget_signal').map(row => row.id);
    expect(ids).toEqual([third.id, first.id, second.id, fourth.id]);
    await controller.stop();
  });

  it('acknowledges an event again after a reconnect when the first acknowledgement was lost', async () => {
    const { client, controller, url, gadgetId } = await ControllerSite.openConnected(bridge());
    const event = controller.event({ kind: 'use', gadget_id: gadgetId as never, gadget_action_id: 'open' });
    await controller.send('events', { v: 1, events: [event] });
    controller.dropConnection();
    await bridge().devices.whenIdle();
    await controller.start(url);
    const ack = controller.next('ack');
    await controller.send('events', { v: 1, events: [event] });
    expect(await ack).toMatchObject({ event_ids: [event.id] });
    expect((await rowsOf(bridge(), client)).filter(row => row.id === event.id)).toHaveLength(1);
    await controller.stop();
  });

  it('does not record an event again that retention has deleted', async () => {
    const { client, controller, gadgetId } = await ControllerSite.openConnected(bridge());
    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    await owner.callOk('PATCH', '/retention', { event_days: 1 });
    const event = controller.event({ kind: 'use', gadget_id: gadgetId as never, gadget_action_id: 'open' });
    const send = async () => {
      const ack = controller.next('ack');
      await controller.send('events', { v: 1, events: [event] });
      return ack;
    };
    await send();
    const earlier = bridge().now;
    bridge().now = instant(earlier + 86_400_001);
    await runRetention(bridge().services);
    expect(await send()).toMatchObject({ event_ids: [event.id] });
    bridge().now = earlier;
    expect((await client.get(`/events/${event.id}`)).status).toBe(404);
    await controller.stop();
  });

  it('records denials with their reason, gaps with their extent, faults, and kinds that it does not know', async () => {
    const { client, controller, gadgetId } = await ControllerSite.openConnected(bridge());
    const gadget_id = gadgetId as never;
    const events = [
      controller.event({ kind: 'deny', gadget_id, gadget_action_id: 'open', reason: 'out_of_schedule' }),
      controller.event({ kind: 'deny', reason: 'no_input_rule', subject: { access_method: 'card' } }),
      controller.event({ kind: 'gap', lost: { first: 10, last: 19, from: 1_770_000_000_000, to: null } }),
      controller.event({ kind: 'fault', fault: 'the relay does not answer' }),
      controller.event({ kind: 'fault', fault: 'the strike does not move', gadget_id, gadget_action_id: 'open' }),
      controller.event({ kind: 'use', gadget_id: 'gad_foreign' as never, gadget_action_id: 'open' }),
      controller.event({ kind: 'from_the_future', detail: 'text', fault: 'text' }),
      controller.event({ kind: 'deny', reason: 'from_the_future' }),
    ];
    const ack = controller.next('ack');
    await controller.send('events', { v: 1, events });
    await ack;
    const recorded = await Promise.all(events.map(({ id }) => client.callOk('GET', `/events/${id}`)));
    expect(recorded).toMatchObject([
      { verb: 'deny', reason: 'out_of_schedule', object: { type: 'gadget_action' } },
      { verb: 'deny', reason: 'no_input_rule', object: { type: 'device', device_id: controller.deviceId } },
      { reason: 'events_lost', details: { lost_count: '10', lost_from: '2026-02-02T02:40:00.000Z' } },
      { reason: 'fault', details: { fault: 'the relay does not answer' } },
      {
        verb: 'edit',
        reason: 'fault',
        object: { type: 'device', gadget_id: gadgetId, gadget_action_id: 'open' },
        details: { fault: 'the strike does not move' },
      },
      { verb: 'use', object: { type: 'device' } },
      { reason: 'unknown_event', object: { type: 'device' }, details: { reported_kind: 'from_the_future' } },
      { verb: 'deny', details: { reported_reason: 'from_the_future' } },
    ]);
    await controller.stop();
  });

  it('reports the lost events that have not arrived by another way, once', async () => {
    const { client, controller, gadgetId } = await ControllerSite.openConnected(bridge());
    const use = (epoch: string, sequence: number) => ({
      ...controller.event({ kind: 'use', gadget_id: gadgetId as never, gadget_action_id: 'open' }),
      epoch,
      sequence,
    });
    const gap = (sequence: number, first: number, last: number) => ({
      ...controller.event({ kind: 'gap', lost: { epoch: 'before', first, last, from: null, to: null } }),
      epoch: 'after',
      sequence,
    });
    const send = async (...events: ReturnType<typeof use>[]) => {
      const ack = controller.next('ack');
      await controller.send('events', { v: 1, events });
      expect((await ack).event_ids).toEqual(events.map(({ id }) => id));
    };
    await send(use('before', 1), use('before', 2), use('before', 5));
    const [partly, repeated, arrived] = [gap(101, 2, 9), gap(102, 2, 9), gap(103, 1, 2)];
    // Numbers of another epoch are other events.
    await send(use('after', 3), use('after', 100), partly, repeated, arrived);
    await send(partly, repeated, arrived);
    const lost = (await rowsOf(bridge(), client)).filter(({ reason }) => reason === 'events_lost');
    expect(lost.map(({ id }) => id)).toEqual([partly.id]);
    expect(await client.callOk('GET', `/events/${partly.id}`)).toMatchObject({
      details: { lost_count: '6', lost_first: '3', lost_last: '9' },
    });
    await controller.stop();
  });

  it('drops events that the controller has not signed', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller, gadgetId } = site;
    const before = bridge().devices.droppedMessages;
    const event = controller.event({ kind: 'use', gadget_id: gadgetId as never, gadget_action_id: 'open' });
    const frame = Buffer.from(controller.encode('events', { v: 1, events: [event] }));
    const changed = Buffer.from(frame);
    changed[changed.length - 10]! ^= 1;
    const stranger = await ControllerSite.openConnected(bridge());
    const foreign = stranger.controller.encode('events', { v: 1, events: [event] });
    const topic = `lintel/v1/${controller.deviceId}/up/events`;
    for (const payload of [changed, foreign, frame.subarray(frame.indexOf('\n') + 1), Buffer.from('{}')]) {
      await controller.publish(topic, payload);
    }
    await bridge().devices.whenIdle();
    const time = controller.next('time');
    await controller.send('time-request', { v: 1, nonce: 'A'.repeat(22) });
    await time;
    expect(bridge().devices.droppedMessages - before).toBe(4);
    expect((await rowsOf(bridge(), client)).some(row => row.id === event.id)).toBe(false);
    await stranger.controller.stop();
    await controller.stop();
  });

  it('sets the device online at its hello, and offline when the connection drops or it says goodbye', async () => {
    const site = await ControllerSite.openConnected(bridge());
    const { client, controller, url } = site;
    expect(await site.isOnline()).toBe(true);
    controller.dropConnection();
    await expect.poll(() => site.isOnline()).toBe(false);
    await controller.start(url);
    expect(await site.isOnline()).toBe(true);
    await controller.send('goodbye', { v: 1, session_nonce: 'B'.repeat(22), reason: 'lost' });
    await bridge().devices.whenIdle();
    expect(await site.isOnline()).toBe(true);
    await controller.send('goodbye', { v: 1, session_nonce: controller.nonce, reason: 'stopping' });
    await expect.poll(() => site.isOnline()).toBe(false);
    const edits = (await rowsOf(bridge(), client)).filter(row => row.object_type === 'device' && row.verb === 'edit');
    expect(edits.map(row => row.reason)).toEqual(['online', 'offline', 'online', 'offline']);
    await controller.stop();
  });

  it('updates mains, battery and faults of the device, and states of its own gadgets only', async () => {
    const { client, controller, gadgetId } = await ControllerSite.openConnected(bridge());
    const status = {
      v: 1,
      at: bridge().now,
      mains_present: true,
      battery_present: null,
      battery_charging: null,
    } as const;
    const fault = { code: 'relay', since: bridge().now, message: 'stuck' };
    const shownFault = { ...fault, since: new Date(bridge().now).toISOString() };
    await controller.send('status', { ...status, battery_percent: 55, waiting_events: 0, faults: [fault] });
    const gadgets = [
      { gadget_id: gadgetId as never, state_id: 'unlocked', since: bridge().now },
      { gadget_id: 'gad_foreign' as never, state_id: 'unlocked', since: bridge().now },
    ];
    await controller.send('state', { v: 1, gadgets });
    const shown = async () => (await client.callOk('GET', `/gadgets/${gadgetId}`))['state_id'];
    await expect.poll(shown).toBe('unlocked');
    expect(await client.callOk('GET', `/devices/${controller.deviceId}`)).toMatchObject({
      // The product has no battery.
      status: { online: true, mains_present: true, battery_present: false, faults: [shownFault] },
    });
    await controller.stop();
  });

  it('accepts an edit of the input rules, and stores a conflicting one for review', async () => {
    const { client, controller, gadgetId } = await ControllerSite.openConnected(bridge());
    const edit = async (code: string, base_revision: number | null) => {
      const response = controller.next('rules');
      const input_rules = [{ code, gadget_id: gadgetId as never, action_id: 'open' }];
      await controller.send('rules-changed', {
        v: 1,
        base_revision,
        edited_at: bridge().now,
        pass_id: null,
        input_rules,
      });
      return (await response).outcome;
    };
    const rules = async () => (await client.callOk('GET', `/devices/${controller.deviceId}`))['input_rules'];
    const base = controller.snapshot!.revision;
    expect(await edit('1', base)).toBe('accepted');
    expect(await edit('1', base)).toBe('accepted');
    expect(await edit('2', base)).toBe('superseded');
    expect(await rules()).toMatchObject([{ code: '1' }]);
    const conflicts = await bridge()
      .services.storage.reader.selectFrom('rule_conflicts')
      .selectAll()
      .where('device_id', '=', controller.deviceId)
      .execute();
    expect(conflicts.map(row => JSON.parse(row.input_rules) as unknown)).toMatchObject([[{ code: '2' }]]);
    await controller.stop();
  });
});
