import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { decodeUnverifiedFrame, encodeSignedFrame, type FrameHeader } from '@lintel/wire-protocol/mqtt/signed-frame';
import { buildDownlinkTopic, buildRevocationTopic, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { describe, expect, it } from 'vitest';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { claimController, ControllerSite } from '../../support/devices/controller-site.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import type { TestController } from '../../support/devices/test-controller.ts';

interface Wire {
  readonly topic: string;
  readonly payload: Buffer;
}

/** Plays a hostile broker: records what the controller is sent, and withholds some of it. */
const intercept = (controller: TestController, isWithheld: (topic: string) => boolean = () => false): Wire[] => {
  const recorded: Wire[] = [];
  const receive = controller.receive.bind(controller);
  controller.receive = (topic, payload) => {
    recorded.push({ topic, payload: Buffer.from(payload) });
    if (!isWithheld(topic)) receive(topic, payload);
  };
  return recorded;
};

const headerOf = ({ payload }: Wire): FrameHeader => {
  const frame = decodeUnverifiedFrame(payload);
  return frame.ok ? frame.value.header : expect.fail('no frame');
};

describeOnSqliteFirst('device link security', bridge => {
  describe('revocation', () => {
    it('reaches every controller of the organization, before the delta, for every change that ends access', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const { client, controller, groupId } = site;
      const other = await (await claimController(bridge(), client, site.siteId)).start(site.url);
      const stranger = await ControllerSite.openConnected(bridge());
      const revoked = async (work: () => Promise<unknown>) => {
        const [here, there] = [controller.next('revoke'), other.next('revoke')];
        await work();
        expect(await there).toEqual(await here);
        return here;
      };
      const id = await site.createMember([groupId]);
      const below = `/members/${id}`;
      const pin = await client.callOk('POST', `${below}/pins`, { pin: '4711' });
      const card = await client.callOk('POST', `${below}/cards`, { uid: '01020304' });
      const { data: associations } = await client.callOk('GET', `${below}/group_associations`);
      expect(await revoked(() => client.callOk('DELETE', `${below}/pins/${pin.id}`))).toMatchObject({
        member_pin_ids: [pin.id],
        member_ids: [],
      });
      expect(await revoked(() => client.callOk('DELETE', `/cards/${String(card['card_id'])}`))).toMatchObject({
        member_card_ids: [card.id],
      });
      expect(
        await revoked(() => client.callOk('DELETE', `${below}/group_associations/${associations[0]!.id}`)),
      ).toMatchObject({ member_group_association_ids: [associations[0]!.id] });
      const ended = await revoked(() =>
        client.callOk('PATCH', below, { ends_at: new Date(bridge().now).toISOString() }),
      );
      expect(ended).toMatchObject({ member_ids: [id] });
      await client.callOk('PATCH', below, { ends_at: '2040-01-01T00:00:00Z' });
      const deleted = await revoked(() => client.callOk('DELETE', below));
      expect(deleted).toMatchObject({ member_ids: [id], revision: await site.revision() });
      expect(controller.messagesOf('revoke')).toHaveLength(5);
      expect(controller.windows.revoke).toEqual({ highest: 5, missing: [] });
      expect(stranger.controller.messagesOf('revoke')).toEqual([]);
      for (const one of [controller, other, stranger.controller]) await one.stop();
    });

    it('is lifted by a newer snapshot when the member is restored at once', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const { client, controller } = site;
      const id = await site.createMember();
      await site.waitUntilMemberCached(id);
      const revoke = controller.next('revoke');
      await client.callOk('DELETE', `/members/${id}`);
      await client.callOk('PATCH', `/members/${id}`, { is_deleted: false });
      const { revision } = await revoke;
      await controller.waitUntil(() => controller.snapshot!.revision > revision, 'a newer snapshot');
      expect(site.cachedMember(id)).toBeDefined();
      await controller.stop();
    });

    it('is missed by its counter when it was withheld, and the data arrives with the next sync', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const { client, controller } = site;
      const [first, second] = [await site.createMember(), await site.createMember()];
      await site.waitUntilMemberCached(second);
      let withholding = true;
      const wires = intercept(controller, () => withholding);
      await client.callOk('DELETE', `/members/${first}`);
      const withheldTopics = [
        buildRevocationTopic(controller.claimed.organization_id),
        buildDownlinkTopic(controller.deviceId, 'snapshot'),
      ];
      await expect.poll(() => wires.map(({ topic }) => topic)).toEqual(expect.arrayContaining(withheldTopics));
      withholding = false;
      await client.callOk('DELETE', `/members/${second}`);
      await controller.waitUntil(() => controller.messagesOf('revoke').length > 0, 'the second revocation');
      expect(controller.windows.revoke).toEqual({ highest: 2, missing: [1] });
      expect(site.cachedMember(first)).toBeDefined();
      await controller.send('sync-request', { v: 1, have: controller.snapshot, resume: null });
      await controller.waitUntil(() => site.cachedMember(first) === undefined, 'the withheld deletion');
      const late = wires.find(({ topic }) => topic === buildRevocationTopic(controller.claimed.organization_id))!;
      controller.receive(late.topic, late.payload);
      expect(controller.windows.revoke).toEqual({ highest: 2, missing: [] });
      await controller.stop();
    });

    it('is missed by the revision and counter in the time message when everything else is withheld', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const { client, controller } = site;
      const id = await site.createMember();
      await site.waitUntilMemberCached(id);
      intercept(controller, topic => !topic.endsWith('/time'));
      await client.callOk('DELETE', `/members/${id}`);
      const time = controller.next('time');
      await bridge().devices.broadcastTime();
      const { revision, revoke_counter, nonce } = await time;
      expect(nonce).toBe(controller.nonce);
      expect(revision).toBeGreaterThan(controller.snapshot!.revision);
      expect(revoke_counter).toBeGreaterThan(controller.windows.revoke.highest);
      await controller.stop();
    });
  });

  describe('downlink over a hostile broker', () => {
    it('rejects replayed messages, also after the bridge restarts with older counters', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const { controller } = site;
      const wires = intercept(controller);
      await site.waitUntilMemberCached(await site.createMember());
      const before = controller.received.length;
      const replayed = [...wires];
      for (const { topic, payload } of replayed) controller.receive(topic, payload);
      expect(controller.received).toHaveLength(before);
      expect(controller.rejections).toEqual(replayed.map(() => 'replayed'));
      controller.rejections.length = 0;
      await controller.stop();
      const { writer } = bridge().services.storage;
      await writer
        .updateTable('device_certificates')
        .set({ down_counter: 0 })
        .where('serial', '=', controller.claimed.serial)
        .execute();
      const restarted = await TestBridge.open({ dataDir: bridge().dataDir, database: bridge().database });
      const port = await restarted.bridge.devices.broker!.listen('127.0.0.1', 0);
      await controller.start(`mqtt://127.0.0.1:${port}`);
      await site.createMember();
      await controller.stop();
      expect(controller.rejections).toEqual([]);
      await restarted.bridge.close();
    });

    it('rejects changed, redirected and forged messages', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const { client, controller, siteId, gadgetId } = site;
      const other = await (await claimController(bridge(), client, siteId)).start(site.url);
      const wires = intercept(controller);
      await site.waitUntilMemberCached(await site.createMember());
      const wire = wires.find(({ topic }) => topic.endsWith('/snapshot'))!;
      const changed = Buffer.from(wire.payload);
      changed[changed.length - 20]! ^= 1;
      controller.receive(wire.topic, changed);
      other.receive(buildDownlinkTopic(other.deviceId, 'snapshot'), wire.payload);
      controller.receive(buildDownlinkTopic(controller.deviceId, 'rules'), wire.payload);
      const action = encodeMqttMessage('action', {
        v: 1,
        request_id: 'r1',
        session_nonce: controller.nonce,
        deadline_ms: 1000,
        gadget_id: gadgetId as never,
        action_id: 'open',
        subject: {},
      });
      const forged = { ...headerOf(wire), kind: 'action', counter: 10_000 };
      controller.receive(
        buildDownlinkTopic(controller.deviceId, 'action'),
        encodeSignedFrame(forged, action, bytes => other.identity.sign(bytes)),
      );
      expect(controller.messagesOf('action')).toEqual([]);
      expect(controller.rejections).toEqual(['replayed', 'wrong_address', 'invalid_signature']);
      expect(other.rejections).toEqual(['wrong_address']);
      expect(controller.windows.down.highest).toBeLessThan(10_000);
      for (const one of [controller, other]) await one.stop();
    });
  });

  describe('uplink from a hostile controller', () => {
    it('is limited to its own topics: other subscriptions are refused, other publishes close the connection', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const { client, controller, siteId, url } = site;
      const other = await (await claimController(bridge(), client, siteId)).start(url);
      const foreign = await ControllerSite.openConnected(bridge());
      const { organization_id } = foreign.controller.claimed;
      const filters = [
        '#',
        '+/+/+/down/#',
        'lintel/v1/+/down/snapshot',
        `lintel/v1/${other.deviceId}/down/#`,
        buildRevocationTopic(organization_id),
        `lintel/v1/${controller.deviceId}/up/#`,
        '$SYS/#',
        `$share/g/lintel/v1/${other.deviceId}/down/#`,
      ];
      for (const filter of filters) {
        const granted = await controller.mqtt.subscribeAsync(filter, { qos: 1 }).catch(() => 'refused');
        expect([filter, granted]).toEqual([filter, 'refused']);
      }
      const topics = [
        buildUplinkTopic(other.deviceId, 'goodbye'),
        buildUplinkTopic(foreign.controller.deviceId, 'status'),
        buildDownlinkTopic(controller.deviceId, 'action'),
        buildRevocationTopic(controller.claimed.organization_id),
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
      expect(bridge().devices.sessions.of(other.deviceId)).toBeDefined();
      for (const one of [controller, other, foreign.controller]) await one.stop();
    });

    it('counts and drops messages of unknown kinds and versions', async () => {
      const { controller } = await ControllerSite.openConnected(bridge());
      const { devices } = bridge();
      const before = devices.droppedMessages;
      await controller.publish(`lintel/v1/${controller.deviceId}/up/telemetry`, Buffer.from('{}'));
      for (const kind of ['hello', 'state', 'active-revision'] as const) {
        await controller.publish(buildUplinkTopic(controller.deviceId, kind), Buffer.from('{"v":2}'));
        await controller.publish(buildUplinkTopic(controller.deviceId, kind), Buffer.from([0xff, 0x00]));
      }
      const time = controller.next('time');
      await controller.send('time-request', { v: 1, nonce: 'C'.repeat(22) });
      expect((await time).nonce).toBe('C'.repeat(22));
      expect(devices.droppedMessages - before).toBe(7);
      await controller.stop();
    });

    it('drops a hello with the certificate serial of another controller', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const other = await claimController(bridge(), site.client, site.siteId);
      const before = bridge().devices.droppedMessages;
      await site.controller.hello({ serial: other.claimed.serial });
      await expect.poll(() => bridge().devices.droppedMessages).toBe(before + 1);
      await site.controller.stop();
    });
  });

  describe('site gateway', () => {
    it('forwards messages of its controllers, and they go offline when it disconnects', async () => {
      const site = await ControllerSite.open(bridge());
      const { client, controller, siteId, url } = site;
      const gateway = await claimController(bridge(), client, siteId, { product_id: 'gateway', gadgets: [] });
      await gateway.start(url);
      await gateway.send('connected-devices', { v: 1, devices: [controller.deviceId] });
      await bridge().devices.whenIdle();
      controller.nonce = 'D'.repeat(22);
      await gateway.mqtt.subscribeAsync(`lintel/v1/${controller.deviceId}/down/#`, { qos: 1 });
      gateway.mqtt.on('message', (topic, payload) => {
        if (topic.includes(controller.deviceId)) controller.receive(topic, payload);
      });
      const hello = controller.encode('hello', {
        v: 1,
        speaks: [1],
        firmware: 'test',
        product_id: 'virtual',
        session_nonce: controller.nonce,
        serial: controller.claimed.serial,
        digest_key_id: 'k1',
        snapshot: null,
        resume: null,
        event_sequence: 0,
        down_counter: 0,
        revoke_counter: 0,
        clock: { time: bridge().now, trusted: true, source: 'rtc' },
      });
      controller.confirmsSnapshots = false;
      await gateway.publish(buildUplinkTopic(controller.deviceId, 'hello'), hello);
      await controller.waitUntil(() => controller.snapshot !== null, 'a snapshot through the gateway');
      expect(await site.isOnline()).toBe(true);
      gateway.dropConnection();
      await expect.poll(() => site.isOnline()).toBe(false);
      await gateway.stop();
    });

    it('can forward for controllers of its own site only', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const elsewhere = await ControllerSite.openConnected(bridge());
      const before = bridge().devices.droppedMessages;
      await site.controller.send('connected-devices', { v: 1, devices: [elsewhere.controller.deviceId] });
      await expect.poll(() => bridge().devices.droppedMessages).toBe(before + 1);
      const gateway = await claimController(bridge(), site.client, site.siteId, { product_id: 'gateway', gadgets: [] });
      await gateway.start(site.url);
      await gateway.send('connected-devices', { v: 1, devices: [elsewhere.controller.deviceId] });
      await bridge().devices.whenIdle();
      await expect(
        gateway.mqtt.subscribeAsync(`lintel/v1/${elsewhere.controller.deviceId}/down/#`, { qos: 1 }),
      ).rejects.toThrow();
      for (const one of [site.controller, elsewhere.controller, gateway]) await one.stop();
    });
  });
});

describe('write by another process on the same database', () => {
  it('reaches connected controllers', async () => {
    const bridge = await TestBridge.open();
    const site = await ControllerSite.openConnected(bridge);
    const other = await TestBridge.open({ dataDir: bridge.dataDir });
    const client = await other.newApplication(site.client.organizationId);
    const { id } = await client.callOk('POST', '/members', { name: 'Eve' });
    await client.callOk('POST', `/members/${id}/group_associations`, { member_group_id: site.groupId });
    await site.waitUntilMemberCached(id);
    await site.controller.stop();
    await other.bridge.close();
    await bridge.close();
  });
});
