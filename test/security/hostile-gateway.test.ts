import { readFileSync } from 'node:fs';
import { HOUR_MS } from '@lintel/access-core/durations';
import { signUplink, toUncompressedFrameBody } from '@lintel/device-link/session/uplink/uplink-publisher';
import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import {
  buildDeviceDownlinkFilter,
  buildUplinkTopic,
  uplinkMessageKinds,
  type UplinkMessageKind,
} from '@lintel/wire-protocol/mqtt/topics';
import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../support/bridge/describe-on-both-databases.ts';
import { claimController, ControllerSite } from '../support/devices/controller-site.ts';
import type { TestController } from '../support/devices/test-controller.ts';

/** Controllers verify the messages of other controllers. The broker accepts a presence from the gateway itself only. */
const kinds = uplinkMessageKinds.filter(kind => !kind.startsWith('peer-') && kind !== 'connected-devices');
type TestedKind = Exclude<UplinkMessageKind, `peer-${string}`>;

const golden = new URL('../../packages/wire-protocol/golden/mqtt/', import.meta.url);

/** A controller that is connected through a gateway. The test controls the gateway. */
class HostileGatewaySite {
  readonly site: ControllerSite;
  readonly gateway: TestController;

  private constructor(site: ControllerSite, gateway: TestController) {
    this.site = site;
    this.gateway = gateway;
  }

  static async open(bridge: ControllerSite['bridge']): Promise<HostileGatewaySite> {
    const site = await ControllerSite.open(bridge);
    const product = { product_id: 'gateway', gadgets: [] };
    const gateway = await claimController(bridge, site.client, site.siteId, product);
    await gateway.start(site.url);
    await gateway.send('connected-devices', { v: 1, devices: [site.controller.deviceId] });
    const opened = new HostileGatewaySite(site, gateway);
    await opened.settled();
    return opened;
  }

  get controller(): TestController {
    return this.site.controller;
  }

  /** Publishes under the topic of the controller. */
  async inject(kind: UplinkMessageKind, payload: Uint8Array): Promise<void> {
    await this.gateway.publish(buildUplinkTopic(this.controller.deviceId, kind), payload);
  }

  async forward<K extends UplinkMessageKind>(kind: K, message: MqttMessageContent<K>): Promise<Uint8Array> {
    const payload = this.controller.encode(kind, message);
    await this.inject(kind, payload);
    await this.settled();
    return payload;
  }

  /** A valid message of the kind about this controller. */
  message<K extends TestedKind>(kind: K): MqttMessageContent<K> {
    const text = readFileSync(new URL(`${kind}.json`, golden), 'utf8')
      .replaceAll(/gad_[0-9a-z]{26}/g, this.site.gadgetId)
      .replaceAll(/dev_[0-9a-z]{26}/g, this.controller.deviceId);
    const message = (JSON.parse(text) as { readonly message: object }).message;
    const own = {
      hello: {
        session_nonce: this.controller.nonce,
        serial: this.controller.claimed.serial,
        digest_key_id: this.controller.identity.digestKey.id,
        snapshot: null,
        resume: null,
      },
      goodbye: { session_nonce: this.controller.nonce },
      state: { gadgets: [{ gadget_id: this.site.gadgetId, state_id: 'unlocked', since: this.site.bridge.now }] },
      events: {
        events: [
          this.controller.event({ kind: 'use', gadget_id: this.site.gadgetId, gadget_action_id: 'open' } as never),
        ],
      },
      'rules-changed': {
        base_revision: null,
        pass_id: null,
        user_id: null,
        input_rules: [{ code: '7', gadget_id: this.site.gadgetId, action_id: 'open' }],
      },
    } as Partial<Record<TestedKind, object>>;
    return { ...message, ...own[kind] } as unknown as MqttMessageContent<K>;
  }

  async startSession(): Promise<Uint8Array> {
    this.controller.nonce = Buffer.from(`${Math.random()}`.padEnd(18, 'x')).toString('base64url');
    return this.forward('hello', this.message('hello'));
  }

  async settled(): Promise<void> {
    await this.site.bridge.devices.whenIdle();
  }

  /** Everything that uplink messages can change. */
  async recorded(): Promise<unknown> {
    const { client, controller, bridge } = this.site;
    const { reader } = bridge.services.storage;
    const device = await client.callOk('GET', `/devices/${controller.deviceId}?expand=gadgets`);
    const { data: events } = await client.callOk('GET', '/events?limit=100&sort=recorded_at:desc');
    const rows = (table: 'device_links' | 'device_sync' | 'technician_pages' | 'rule_conflicts') =>
      reader.selectFrom(table).selectAll().where('device_id', '=', controller.deviceId).execute();
    return {
      device,
      events,
      link: await rows('device_links'),
      sync: await rows('device_sync'),
      page: await rows('technician_pages'),
      conflicts: await rows('rule_conflicts'),
    };
  }

  /** What was recorded before and after the attack. */
  async recordedAround(attack: () => Promise<void>): Promise<{ readonly before: unknown; readonly after: unknown }> {
    const before = await this.recorded();
    await attack();
    await this.settled();
    return { before, after: await this.recorded() };
  }

  async close(): Promise<void> {
    await this.gateway.stop();
  }
}

describeOnBothDatabases(
  'hostile gateway',
  bridge => {
    it.each(kinds)('cannot forge %s', async kind => {
      const attacked = await HostileGatewaySite.open(bridge());
      await attacked.startSession();
      const { controller, gateway } = attacked;
      const body = toUncompressedFrameBody(encodeMqttMessage(kind, attacked.message(kind as TestedKind)));
      const address = { audience: controller.claimed.organization_id, counter: Date.now() + HOUR_MS };
      const { device_id, serial } = controller.claimed;
      const signWithGatewayKey = (bytes: Uint8Array) => gateway.identity.sign(bytes);
      const genuine = controller.encode(kind, attacked.message(kind as TestedKind));
      const changed = Buffer.from(genuine);
      changed[changed.length - 2] = changed[changed.length - 2]! ^ 1;
      const { before, after } = await attacked.recordedAround(async () => {
        await attacked.inject(kind, body.body);
        await attacked.inject(kind, signUplink(kind, body, { device_id, serial, sign: signWithGatewayKey }, address));
        await attacked.inject(
          kind,
          signUplink(kind, body, { device_id, serial: gateway.claimed.serial, sign: signWithGatewayKey }, address),
        );
        await attacked.inject(kind, gateway.encode(kind, attacked.message(kind as TestedKind)));
        await attacked.inject(kind, changed);
      });
      expect(after).toEqual(before);
      await attacked.close();
    });

    it('cannot replay messages of an earlier session, in any order', async () => {
      const attacked = await HostileGatewaySite.open(bridge());
      const recorded: [UplinkMessageKind, Uint8Array][] = [['hello', await attacked.startSession()]];
      for (const kind of kinds as readonly TestedKind[]) {
        if (kind === 'hello' || kind === 'goodbye') continue;
        recorded.push([kind, await attacked.forward(kind, attacked.message(kind))]);
      }
      recorded.push(['goodbye', await attacked.forward('goodbye', attacked.message('goodbye'))]);
      await attacked.startSession();
      await attacked.forward('status', { ...attacked.message('status'), faults: [], technician: null });
      await attacked.forward('rules-changed', { ...attacked.message('rules-changed'), input_rules: [] });
      expect(await attacked.site.isOnline()).toBe(true);
      const { before, after } = await attacked.recordedAround(async () => {
        for (const [kind, payload] of [...recorded, ...recorded.toReversed()]) await attacked.inject(kind, payload);
      });
      expect(after).toEqual(before);
      await attacked.forward('goodbye', attacked.message('goodbye'));
      expect(await attacked.site.isOnline()).toBe(false);
      const offline = await attacked.recordedAround(async () => {
        for (const [kind, payload] of recorded) await attacked.inject(kind, payload);
      });
      expect(offline.after).toEqual(offline.before);
      await attacked.close();
    });

    it('cannot reorder or repeat the messages of a session', async () => {
      const attacked = await HostileGatewaySite.open(bridge());
      await attacked.startSession();
      const { controller } = attacked;
      const fault = { code: 'old', since: bridge().now, message: 'An old fault' };
      const older = controller.encode('status', { ...attacked.message('status'), faults: [fault] });
      const newer = await attacked.forward('status', { ...attacked.message('status'), faults: [] });
      const { before, after } = await attacked.recordedAround(async () => {
        await attacked.inject('status', older);
        await attacked.inject('status', newer);
      });
      expect(after).toEqual(before);
      await attacked.close();
    });

    it('gets nothing for controllers that are not connected through it', async () => {
      const attacked = await HostileGatewaySite.open(bridge());
      const { site, gateway, controller } = attacked;
      const own: string[] = [];
      gateway.mqtt.on('message', topic => {
        if (topic.includes(controller.deviceId)) own.push(topic.split('/').at(-1)!);
      });
      await gateway.mqtt.subscribeAsync(buildDeviceDownlinkFilter(controller.deviceId), { qos: 1 });
      await controller.start(site.url);
      await site.waitUntilMemberCached(await site.createMember([site.groupId], '8520'));
      await controller.send('time-request', { v: 1, session_nonce: controller.nonce } as never);
      await attacked.settled();
      expect(own).toEqual([]);

      // Through the gateway, until the controller connects directly again.
      await controller.stop();
      await attacked.startSession();
      await gateway.waitUntil(() => own.includes('time'), 'the answer to the forwarded hello');
      await controller.start(site.url);
      const before = own.length;
      await site.waitUntilMemberCached(await site.createMember([site.groupId], '852013'));
      await attacked.settled();
      expect(own.slice(before)).toEqual([]);
      await controller.stop();
      await attacked.close();
    });

    it('cannot report a controller as online that has not connected', async () => {
      const attacked = await HostileGatewaySite.open(bridge());
      await attacked.gateway.send('connected-devices', { v: 1, devices: [attacked.controller.deviceId] });
      await attacked.settled();
      expect(await attacked.site.isOnline()).toBe(false);
      await attacked.close();
    });

    it('cannot erase an event of another organization by its id', async () => {
      const victim = await HostileGatewaySite.open(bridge());
      const attacker = await HostileGatewaySite.open(bridge());
      await victim.startSession();
      await attacker.startSession();
      const event = victim.controller.event({
        kind: 'use',
        gadget_id: victim.site.gadgetId,
        gadget_action_id: 'open',
      } as never);
      await attacker.forward('events', { v: 1, events: [{ ...event, gadget_id: attacker.site.gadgetId as never }] });
      const uses = async (): Promise<number> =>
        (await victim.site.client.callOk('GET', `/events?verb=use&object.gadget_id=${victim.site.gadgetId}`)).data
          .length;
      expect(await uses()).toBe(0);
      for (let time = 0; time < 2; time++) await victim.forward('events', { v: 1, events: [event] });
      expect(await uses()).toBe(1);
      await victim.close();
      await attacker.close();
    });
  },
  {},
  ['slow'],
);
