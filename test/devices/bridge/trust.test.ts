import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { decodeFrame, encodeFrame, type FrameHeader } from '@lintel/wire-protocol/mqtt/signed-frame';
import { downTopic, revokeTopic, upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { describe, expect, it } from 'vitest';
import { BridgeWorld } from '../../support/bridge/bridge-world.ts';
import { aController, DeviceHotel } from '../../support/devices/device-hotel.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';
import type { TestController } from '../../support/devices/test-controller.ts';

interface Wire {
  readonly topic: string;
  readonly payload: Buffer;
}

/** A broker in the wrong hands: it keeps what goes over it, and lets through what it likes. */
const tap = (controller: TestController, isWithheld: (topic: string) => boolean = () => false): Wire[] => {
  const kept: Wire[] = [];
  const hear = controller.hear.bind(controller);
  controller.hear = (topic, payload) => {
    kept.push({ topic, payload: Buffer.from(payload) });
    if (!isWithheld(topic)) hear(topic, payload);
  };
  return kept;
};

const headerOf = ({ payload }: Wire): FrameHeader => {
  const frame = decodeFrame(payload);
  return frame.ok ? frame.value.header : expect.fail('no frame');
};

onBothEngines('revocations', world => {
  it('reach every controller of the organization as one message, ahead of the slice, for all that ends access', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller, groupId } = hotel;
    const other = await (await aController(world(), client, hotel.siteId)).start(hotel.url);
    const stranger = await DeviceHotel.running(world());
    const revoked = async (work: () => Promise<unknown>) => {
      const [here, there] = [controller.next('revoke'), other.next('revoke')];
      await work();
      expect(await there).toEqual(await here);
      return here;
    };
    const id = await hotel.member([groupId]);
    const below = `/members/${id}`;
    const pin = await client.done('POST', `${below}/pins`, { pin: '4711' });
    const card = await client.done('POST', `${below}/cards`, { uid: '01020304' });
    const { data: associations } = await client.done('GET', `${below}/group_associations`);
    expect(await revoked(() => client.done('DELETE', `${below}/pins/${pin.id}`))).toMatchObject({
      member_pin_ids: [pin.id],
      member_ids: [],
    });
    expect(await revoked(() => client.done('DELETE', `/cards/${String(card['card_id'])}`))).toMatchObject({
      member_card_ids: [card.id],
    });
    expect(
      await revoked(() => client.done('DELETE', `${below}/group_associations/${associations[0]!.id}`)),
    ).toMatchObject({ member_group_association_ids: [associations[0]!.id] });
    const ended = await revoked(() => client.done('PATCH', below, { ends_at: new Date(world().now).toISOString() }));
    expect(ended).toMatchObject({ member_ids: [id] });
    await client.done('PATCH', below, { ends_at: '2040-01-01T00:00:00Z' });
    const deleted = await revoked(() => client.done('DELETE', below));
    expect(deleted).toMatchObject({ member_ids: [id], revision: await hotel.revision() });
    expect(controller.of('revoke')).toHaveLength(5);
    expect(controller.windows.revoke).toEqual({ highest: 5, missing: [] });
    expect(stranger.controller.of('revoke')).toEqual([]);
    for (const one of [controller, other, stranger.controller]) await one.stop();
  });

  it('are lifted by a slice that is at least as new, also when the member is back at once', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller } = hotel;
    const id = await hotel.member();
    await hotel.untilHeld(id);
    const revoke = controller.next('revoke');
    await client.done('DELETE', `/members/${id}`);
    await client.done('PATCH', `/members/${id}`, { is_deleted: false });
    const { revision } = await revoke;
    await controller.until(() => controller.held!.revision > revision, 'a newer slice');
    expect(hotel.held(id)).toBeDefined();
    await controller.stop();
  });

  it('that are withheld are noticed by the number of the next one, and a request for what is missing brings it', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller } = hotel;
    const [first, second] = [await hotel.member(), await hotel.member()];
    await hotel.untilHeld(second);
    let withholding = true;
    const wires = tap(controller, () => withholding);
    await client.done('DELETE', `/members/${first}`);
    await expect.poll(() => wires.length).toBe(2);
    withholding = false;
    await client.done('DELETE', `/members/${second}`);
    await controller.until(() => controller.of('revoke').length > 0, 'the second revocation');
    expect(controller.windows.revoke).toEqual({ highest: 2, missing: [1] });
    expect(hotel.held(first)).toBeDefined();
    await controller.say('sync-request', { v: 1, have: controller.held, resume: null });
    await controller.until(() => hotel.held(first) === undefined, 'what was withheld');
    const late = wires.find(({ topic }) => topic === revokeTopic(controller.claimed.organization_id))!;
    controller.hear(late.topic, late.payload);
    expect(controller.windows.revoke).toEqual({ highest: 2, missing: [] });
    await controller.stop();
  });

  it('that are withheld together with everything else are noticed by the hourly word on how far the bridge is', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller } = hotel;
    const id = await hotel.member();
    await hotel.untilHeld(id);
    tap(controller, topic => !topic.endsWith('/time'));
    await client.done('DELETE', `/members/${id}`);
    const told = controller.next('time');
    await world().bridge.devices.tellTime();
    const { revision, revoke_counter, nonce } = await told;
    expect(nonce).toBe(controller.nonce);
    expect(revision).toBeGreaterThan(controller.held!.revision);
    expect(revoke_counter).toBeGreaterThan(controller.windows.revoke.highest);
    await controller.stop();
  });
});

onBothEngines('a broker in the wrong hands', world => {
  it('can play nothing twice, not even after the bridge was restarted or has lost its last hours', async () => {
    const hotel = await DeviceHotel.running(world());
    const { controller, url } = hotel;
    const wires = tap(controller);
    await hotel.untilHeld(await hotel.member());
    const heard = controller.received.length;
    const played = [...wires];
    for (const { topic, payload } of played) controller.hear(topic, payload);
    expect(controller.received).toHaveLength(heard);
    expect(controller.refused).toEqual(played.map(() => 'replayed'));
    controller.refused.length = 0;
    await controller.stop();
    const { writer } = world().bridge.services.storage;
    await writer
      .updateTable('device_certificates')
      .set({ down_counter: 0 })
      .where('serial', '=', controller.claimed.serial)
      .execute();
    const restarted = await BridgeWorld.open({ dataDir: world().dataDir, database: world().database });
    const port = await restarted.bridge.devices.broker!.listen('127.0.0.1', 0);
    await controller.start(`mqtt://127.0.0.1:${port}`);
    await hotel.member();
    await controller.stop();
    expect(controller.refused).toEqual([]);
    await restarted.bridge.close();
    expect(url).not.toBe('');
  });

  it('can change nothing, address nothing to another, and sign nothing itself', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller, siteId, gadgetId } = hotel;
    const other = await (await aController(world(), client, siteId)).start(hotel.url);
    const wires = tap(controller);
    await hotel.untilHeld(await hotel.member());
    const wire = wires.find(({ topic }) => topic.endsWith('/slice'))!;
    const changed = Buffer.from(wire.payload);
    changed[changed.length - 20]! ^= 1;
    controller.hear(wire.topic, changed);
    other.hear(downTopic(other.deviceId, 'slice'), wire.payload);
    controller.hear(downTopic(controller.deviceId, 'rules'), wire.payload);
    const action = encodeMessage('action', {
      v: 1,
      request_id: 'r1',
      session_nonce: controller.nonce,
      deadline_ms: 1000,
      gadget_id: gadgetId as never,
      action_id: 'open',
      subject: {},
    });
    const forged = { ...headerOf(wire), kind: 'action', counter: 10_000 };
    controller.hear(
      downTopic(controller.deviceId, 'action'),
      encodeFrame(forged, action, bytes => other.identity.sign(bytes)),
    );
    expect(controller.of('action')).toEqual([]);
    expect(controller.refused).toEqual(['replayed', 'wrong_address', 'invalid_signature']);
    expect(other.refused).toEqual(['wrong_address']);
    expect(controller.windows.down.highest).toBeLessThan(10_000);
    for (const one of [controller, other]) await one.stop();
  });
});

onBothEngines('a controller in the wrong hands', world => {
  it('speaks and hears for itself alone: anything else ends its connection or is not granted', async () => {
    const hotel = await DeviceHotel.running(world());
    const { client, controller, siteId, url } = hotel;
    const other = await (await aController(world(), client, siteId)).start(url);
    const foreign = await DeviceHotel.running(world());
    const { organization_id } = foreign.controller.claimed;
    const filters = [
      '#',
      '+/+/+/down/#',
      'lintel/v1/+/down/slice',
      `lintel/v1/${other.deviceId}/down/#`,
      revokeTopic(organization_id),
      `lintel/v1/${controller.deviceId}/up/#`,
      '$SYS/#',
      `$share/g/lintel/v1/${other.deviceId}/down/#`,
    ];
    for (const filter of filters) {
      const granted = await controller.mqtt.subscribeAsync(filter, { qos: 1 }).catch(() => 'refused');
      expect([filter, granted]).toEqual([filter, 'refused']);
    }
    const topics = [
      upTopic(other.deviceId, 'goodbye'),
      upTopic(foreign.controller.deviceId, 'status'),
      downTopic(controller.deviceId, 'action'),
      revokeTopic(controller.claimed.organization_id),
      'lintel/v1/anything',
    ];
    for (const topic of topics) {
      const closed = new Promise<void>(resolve => {
        controller.mqtt.once('close', () => resolve());
      });
      controller.mqtt.publish(topic, '{}', { qos: 0 });
      await closed;
      await controller.stop();
      await controller.start(url);
    }
    expect(world().bridge.devices.sessions.of(other.deviceId)).toBeDefined();
    for (const one of [controller, other, foreign.controller]) await one.stop();
  });

  it('may say what this bridge does not understand yet, in any number: it is counted and dropped', async () => {
    const { controller } = await DeviceHotel.running(world());
    const { devices } = world().bridge;
    const before = devices.droppedMessages;
    await controller.shout(`lintel/v1/${controller.deviceId}/up/telemetry`, Buffer.from('{}'));
    for (const kind of ['hello', 'state', 'serving'] as const) {
      await controller.shout(upTopic(controller.deviceId, kind), Buffer.from('{"v":2}'));
      await controller.shout(upTopic(controller.deviceId, kind), Buffer.from([0xff, 0x00]));
    }
    const answer = controller.next('time');
    await controller.say('time-request', { v: 1, nonce: 'C'.repeat(22) });
    expect((await answer).nonce).toBe('C'.repeat(22));
    expect(devices.droppedMessages - before).toBe(7);
    await controller.stop();
  });

  it('is not believed when it presents a certificate that is not its own', async () => {
    const hotel = await DeviceHotel.running(world());
    const other = await aController(world(), hotel.client, hotel.siteId);
    const before = world().bridge.devices.droppedMessages;
    await hotel.controller.hello({ serial: other.claimed.serial });
    await expect.poll(() => world().bridge.devices.droppedMessages).toBe(before + 1);
    await hotel.controller.stop();
  });
});

onBothEngines('a site gateway', world => {
  it('carries its devices: it may speak for them, and they are gone when it is', async () => {
    const hotel = await DeviceHotel.open(world());
    const { client, controller, siteId, url } = hotel;
    const gateway = await aController(world(), client, siteId, { product_id: 'gateway', gadgets: [] });
    await gateway.start(url);
    await gateway.say('presence', { v: 1, devices: [controller.deviceId] });
    await world().bridge.devices.idle();
    controller.nonce = 'D'.repeat(22);
    await gateway.mqtt.subscribeAsync(`lintel/v1/${controller.deviceId}/down/#`, { qos: 1 });
    gateway.mqtt.on('message', (topic, payload) => {
      if (topic.includes(controller.deviceId)) controller.hear(topic, payload);
    });
    const said = controller.encode('hello', {
      v: 1,
      speaks: [1],
      firmware: 'test',
      product_id: 'virtual',
      session_nonce: controller.nonce,
      serial: controller.claimed.serial,
      digest_key_id: 'k1',
      slice: null,
      resume: null,
      event_sequence: 0,
      down_counter: 0,
      revoke_counter: 0,
      clock: { time: world().now, trusted: true, source: 'rtc' },
    });
    controller.answersSlices = false;
    await gateway.shout(upTopic(controller.deviceId, 'hello'), said);
    await controller.until(() => controller.held !== null, 'a slice through the gateway');
    const online = async () =>
      ((await client.done('GET', `/devices/${controller.deviceId}`))['status'] as { online: boolean }).online;
    expect(await online()).toBe(true);
    gateway.cut();
    await expect.poll(online).toBe(false);
    await gateway.stop();
  });

  it('is believed as a gateway of its own site only', async () => {
    const hotel = await DeviceHotel.running(world());
    const elsewhere = await DeviceHotel.running(world());
    const before = world().bridge.devices.droppedMessages;
    await hotel.controller.say('presence', { v: 1, devices: [elsewhere.controller.deviceId] });
    await expect.poll(() => world().bridge.devices.droppedMessages).toBe(before + 1);
    const gateway = await aController(world(), hotel.client, hotel.siteId, { product_id: 'gateway', gadgets: [] });
    await gateway.start(hotel.url);
    await gateway.say('presence', { v: 1, devices: [elsewhere.controller.deviceId] });
    await world().bridge.devices.idle();
    await expect(
      gateway.mqtt.subscribeAsync(`lintel/v1/${elsewhere.controller.deviceId}/down/#`, { qos: 1 }),
    ).rejects.toThrow();
    for (const one of [hotel.controller, elsewhere.controller, gateway]) await one.stop();
  });
});

describe('the commands beside a running bridge', () => {
  it('change what controllers hold, too', async () => {
    const world = await BridgeWorld.open();
    const hotel = await DeviceHotel.running(world);
    const beside = await BridgeWorld.open({ dataDir: world.dataDir });
    const client = await beside.newApplication(hotel.client.organizationId);
    const { id } = await client.done('POST', '/members', { name: 'Eve' });
    await client.done('POST', `/members/${id}/group_associations`, { member_group_id: hotel.groupId });
    await hotel.untilHeld(id);
    await hotel.controller.stop();
    await beside.bridge.close();
    await world.close();
  });
});
