import { renewalSigningBytes } from '@lintel/wire-protocol/claiming/redemption';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { encodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { downTopic, ownDownFilter, revokeTopic, upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { connect } from 'mqtt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteDevice } from '@lintel/cloud-bridge/resources/devices';
import { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { certificateRequest } from '../support/devices/certificate-request.ts';
import { DeviceHotel } from '../support/devices/device-hotel.ts';
import { administer } from '../support/bridge/place.ts';
import { GatewaySite } from '../support/devices/gateway-site.ts';
import { TestController } from '../support/devices/test-controller.ts';

const tapOf = (controller: TestController, gadget_id: string) =>
  controller.event({ kind: 'use', gadget_id: gadget_id as never, gadget_action_id: 'open' });

describe('the gateway of a site', () => {
  let world: BridgeWorld;
  let site: GatewaySite;

  beforeEach(async () => {
    world = await BridgeWorld.open({ isTicking: true });
    site = await GatewaySite.open(world);
  });

  afterEach(async () => {
    await site.close();
    await world.close();
  });

  it('brings a controller to the bridge: hello, slice, events, and the bridge’s own word that it has them', async () => {
    const { controller, gadgetId } = site.hotel;
    await controller.start(site.url);
    expect(controller.of('line').at(-1)).toEqual({ v: 1, online: true });
    expect(await site.isOnline(controller.deviceId)).toBe(true);
    const tap = tapOf(controller, gadgetId);
    const acknowledged = controller.next('ack');
    await controller.say('events', { v: 1, events: [tap] });
    expect((await acknowledged).up_to).toBe(tap.sequence);
    expect(await site.recorded(controller)).toEqual([tap.id]);
    await expect.poll(() => site.waiting()).toBe(0);
    expect(controller.refused).toEqual([]);
  });

  it('keeps events while the line is down and brings each once and in order when it is back', async () => {
    const { controller, gadgetId } = site.hotel;
    await controller.start(site.url);
    await site.cut();
    await controller.until(() => controller.of('line').at(-1)?.online === false, 'the word that the line is down');
    const taps = Array.from({ length: 40 }, () => tapOf(controller, gadgetId));
    for (const tap of taps) await controller.say('events', { v: 1, events: [tap] });
    await expect.poll(() => site.waiting()).toBe(40);
    // As a controller does that was restarted: it says again what nobody has confirmed.
    await controller.say('events', { v: 1, events: taps.slice(0, 20) });
    await site.restore();
    await controller.until(() => controller.of('ack').at(-1)?.up_to === taps.at(-1)!.sequence, 'all acknowledgements');
    expect(await site.recorded(controller)).toEqual(taps.map(({ id }) => id));
    await expect.poll(() => site.waiting()).toBe(0);
  });

  it('keeps them over a restart of its own, and for a controller that has left meanwhile', async () => {
    const { controller, gadgetId } = site.hotel;
    await controller.start(site.url);
    await site.cut();
    const taps = Array.from({ length: 5 }, () => tapOf(controller, gadgetId));
    await controller.say('events', { v: 1, events: taps });
    await expect.poll(() => site.waiting()).toBe(5);
    await controller.stop();
    await site.restart();
    expect(site.waiting()).toBe(5);
    await site.restore();
    await expect.poll(() => site.recorded(controller)).toEqual(taps.map(({ id }) => id));
    await expect.poll(() => site.waiting()).toBe(0);
    // The acknowledgement came while nobody was there to take it.
    await controller.connect(site.url);
    await controller.until(
      () => controller.of('ack').at(-1)?.up_to === taps.at(-1)!.sequence,
      'the kept acknowledgement',
    );
  });

  it('carries what controllers say and what they are told byte for byte', async () => {
    const { controller } = site.hotel;
    const broker = world.bridge.devices.transport;
    const seen: string[] = [];
    broker.onMessage((topic, payload) => seen.push(`${topic} ${Buffer.from(payload).toString('hex')}`));
    await controller.start(site.url);
    const said = controller.encode('events', { v: 1, events: [tapOf(controller, site.hotel.gadgetId)] });
    await controller.shout(upTopic(controller.deviceId, 'events'), said);
    await expect
      .poll(() => seen)
      .toContain(`${upTopic(controller.deviceId, 'events')} ${Buffer.from(said).toString('hex')}`);
    // Down: everything is signed, and every signature fits.
    expect(controller.refused).toEqual([]);
  });

  it('lets controllers speak to one another with the cloud cut off', async () => {
    const reader = site.hotel.controller;
    const owner = await site.another();
    await reader.start(site.url);
    await owner.start(site.url);
    await site.cut();
    const heard = new Promise<string>(resolve => {
      owner.mqtt.on('message', (topic, payload) => {
        if (topic.endsWith('/down/peer-hello')) resolve(payload.toString('hex'));
      });
    });
    const frame = reader.encode('peer-hello', { v: 1, request_id: 'r1' }, owner.deviceId);
    await reader.shout(upTopic(reader.deviceId, 'peer-hello'), frame);
    expect(await heard).toBe(Buffer.from(frame).toString('hex'));
  });

  it('does not carry a word between controllers that somebody else has signed', async () => {
    const reader = site.hotel.controller;
    const owner = await site.another();
    await reader.start(site.url);
    await owner.start(site.url);
    const forged = owner.encode('peer-hello', { v: 1, request_id: 'r1' }, owner.deviceId);
    const before = site.gateway.status().traffic.dropped;
    await reader.shout(upTopic(reader.deviceId, 'peer-hello'), forged);
    await expect.poll(() => site.gateway.status().traffic.dropped).toBe(before + 1);
    expect(owner.of('peer-hello')).toEqual([]);
  });

  it('gives revocations to a controller that comes back while the line is down', async () => {
    const { controller, client } = site.hotel;
    await controller.start(site.url);
    const member = await site.hotel.member();
    await site.hotel.untilHeld(member);
    await controller.stop();
    await client.done('DELETE', `/members/${member}`);
    await expect.poll(() => site.gateway.status().revocations).toBe(1);
    await site.cut();
    await controller.connect(site.url);
    await controller.until(() => controller.of('revoke').length === 1, 'the revocation');
    expect(controller.of('revoke')[0]!.member_ids).toEqual([member]);
    expect(controller.of('line').at(-1)).toEqual({ v: 1, online: false });
  });

  it('says who is there: a controller is offline when it leaves, and all are when the gateway is gone', async () => {
    const { controller } = site.hotel;
    const other = await site.another();
    await controller.start(site.url);
    await other.start(site.url);
    expect(await site.isOnline(other.deviceId)).toBe(true);
    await other.stop();
    await expect.poll(() => site.isOnline(other.deviceId)).toBe(false);
    expect(await site.isOnline(controller.deviceId)).toBe(true);
    site.line.cut();
    await expect.poll(() => site.isOnline(controller.deviceId)).toBe(false);
  });

  it('does not take a controller offline that has found another way to the bridge', async () => {
    const { controller } = site.hotel;
    await controller.start(site.url);
    const gone = controller.mqtt;
    await controller.start(site.hotel.url);
    await gone.endAsync(true);
    await expect
      .poll(() => site.gateway.status().controllers.find(one => one.device_id === controller.deviceId)?.connected)
      .toBe(false);
    await world.bridge.devices.idle();
    expect(await site.isOnline(controller.deviceId)).toBe(true);
  });

  it('lets in a controller that was claimed a moment ago, and sends one away that is deleted', async () => {
    const other = await site.another();
    await other.start(site.url);
    const lost = new Promise<void>(resolve => other.mqtt.once('close', () => resolve()));
    await administer(world, site.hotel.client, context => deleteDevice(context, other.deviceId));
    await lost;
    await expect(other.connect(site.url)).rejects.toThrow();
    await site.hotel.controller.start(site.url);
  });

  it('refuses devices of other sites, whatever they were claimed for', async () => {
    const elsewhere = await DeviceHotel.open(world);
    await expect(elsewhere.controller.connect(site.url)).rejects.toThrow();
    await expect(site.hotel.controller.connect(site.url)).resolves.toBeDefined();
  });

  it('leaves each controller its own subtree', async () => {
    const { controller } = site.hotel;
    const other = await site.another();
    await controller.start(site.url);
    await expect(controller.mqtt.subscribeAsync(ownDownFilter(other.deviceId), { qos: 1 })).rejects.toThrow();
    await expect(controller.mqtt.subscribeAsync('#', { qos: 1 })).rejects.toThrow();
    await controller.mqtt.subscribeAsync(revokeTopic(controller.claimed.organization_id), { qos: 1 });
    const lost = new Promise<void>(resolve => controller.mqtt.once('close', () => resolve()));
    controller.mqtt.publish(upTopic(other.deviceId, 'status'), '{}', { qos: 0 });
    await lost;
  });

  it('keeps only what its controllers have really signed', async () => {
    const { controller, gadgetId } = site.hotel;
    const other = await site.another();
    await controller.start(site.url);
    await site.cut();
    const forged = other.encode('events', { v: 1, events: [tapOf(other, gadgetId)] });
    await controller.shout(upTopic(controller.deviceId, 'events'), forged);
    await controller.shout(upTopic(controller.deviceId, 'events'), Buffer.from('no frame at all'));
    await expect.poll(() => site.gateway.status().traffic.dropped).toBe(2);
    expect(site.waiting()).toBe(0);
  });

  it('lets go of nothing on a word that the organization has not signed', async () => {
    const { controller, gadgetId } = site.hotel;
    await controller.start(site.url);
    await site.cut();
    const tap = tapOf(controller, gadgetId);
    await controller.say('events', { v: 1, events: [tap] });
    await expect.poll(() => site.waiting()).toBe(1);
    // The bridge is there again, but its commits take so long that somebody else answers first.
    const release = Promise.withResolvers<void>();
    void administer(world, site.hotel.client, () => release.promise);
    await site.restore();
    const header = {
      v: 1,
      kind: 'ack',
      signer: controller.claimed.organization_id,
      audience: controller.deviceId,
    } as const;
    const forged = encodeFrame(
      { ...header, serial: controller.claimed.serial, counter: 1000, encoding: 'identity' },
      encodeMessage('ack', { v: 1, up_to: tap.sequence, event_ids: [] }),
      bytes => controller.identity.sign(bytes),
    );
    const before = site.gateway.status().traffic.dropped;
    await world.bridge.devices.transport.publish(downTopic(controller.deviceId, 'ack'), forged);
    await expect.poll(() => site.gateway.status().traffic.dropped).toBe(before + 1);
    expect(site.waiting()).toBe(1);
    release.resolve();
    await expect.poll(() => site.waiting()).toBe(0);
    expect(await site.recorded(controller)).toEqual([tap.id]);
  });

  it('carries an edit of the rules that was made during a cut, and the answer to who has left meanwhile', async () => {
    const { controller, gadgetId } = site.hotel;
    await controller.start(site.url);
    await site.cut();
    const input_rules = [{ code: '*1', gadget_id: gadgetId as never, action_id: 'open' }];
    const base_revision = controller.held!.revision;
    const edit = { v: 1, base_revision, edited_at: world.now, pass_id: null, user_id: null, input_rules } as const;
    await controller.say('rules-changed', { ...edit, input_rules });
    await expect.poll(() => site.gateway.status().queue.frames).toBe(1);
    await controller.stop();
    await site.restore();
    await expect.poll(() => site.gateway.status().queue.frames).toBe(0);
    const device = await site.hotel.client.done('GET', `/devices/${controller.deviceId}`);
    expect(device['input_rules']).toMatchObject([{ code: '*1' }]);
    await controller.connect(site.url);
    await controller.until(() => controller.of('rules').length === 1, 'the answer to the edit');
    expect(controller.of('rules')[0]).toMatchObject({ outcome: 'accepted' });
  });

  it('lets a controller in with its next certificate, and not with that of the board it has replaced', async () => {
    const { controller, client } = site.hotel;
    await controller.start(site.url);
    await controller.stop();
    const { device_id, serial } = controller.claimed;
    const content = { device_id, serial, csr: certificateRequest(controller.identity.key), digest_key: null };
    const signature = Buffer.from(controller.identity.sign(renewalSigningBytes(content))).toString('base64url');
    const payload = { v: 1, ...content, signature };
    const renewed = await world.bridge.app.inject({ method: 'POST', url: '/claim/v1/renew', payload });
    const before = controller.claimed;
    controller.claimed = { ...before, serial: renewed.json<{ serial: string }>().serial };
    expect(controller.claimed.serial).not.toBe(before.serial);
    const comes = () =>
      controller.connect(site.url).then(
        () => true,
        () => false,
      );
    await expect.poll(comes).toBe(true);
    // Another board takes its place.
    const lost = new Promise<void>(resolve => controller.mqtt.once('close', () => resolve()));
    const place = { site_id: site.hotel.siteId, device_id: controller.deviceId };
    const board = await TestController.claim(world, client, place);
    await lost;
    await expect(controller.connect(site.url)).rejects.toThrow();
    await expect
      .poll(() =>
        board.connect(site.url).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await board.stop();
  });

  it('serves controllers with TLS under its own certificate, and knows them by theirs', async () => {
    const { controller, gadgetId } = site.hotel;
    const stranger = (await DeviceHotel.open(world)).controller;
    const tls = ({ claimed, identity }: TestController) => ({
      ca: claimed.ca_certificate,
      cert: claimed.certificate,
      key: identity.key.export({ type: 'pkcs8', format: 'pem' }),
      checkServerIdentity: () => undefined,
    });
    const { mqtts } = site.gateway.addresses();
    await controller.connect(mqtts, tls(controller));
    await controller.hello();
    await controller.until(() => controller.held !== null, 'a slice');
    const acknowledged = controller.next('ack');
    await controller.say('events', { v: 1, events: [tapOf(controller, gadgetId)] });
    await acknowledged;
    await expect(stranger.connect(mqtts, tls(stranger))).rejects.toThrow();
    const nobody = connect(mqtts, { rejectUnauthorized: false, reconnectPeriod: 0 });
    let wasWelcome = false;
    nobody
      .on('error', () => undefined)
      .on('connect', () => {
        wasWelcome = true;
      });
    await new Promise<void>(resolve => nobody.once('close', () => resolve()));
    expect(wasWelcome).toBe(false);
  });

  it('is a device itself, with a status, a clock by the bridge and a slice that names its controllers', async () => {
    const status = site.gateway.status();
    expect(await site.isOnline(status.device_id!)).toBe(true);
    expect(status.clock).toMatchObject({ trusted: true, source: 'bridge' });
    expect(status.controllers).toMatchObject([
      { device_id: site.hotel.controller.deviceId, name: 'Front', connected: false },
    ]);
    expect(status.faults).toEqual([]);
    const answer = await fetch(`${site.gateway.addresses().status}/status.json`);
    expect(await answer.json()).toMatchObject({ device_id: status.device_id, upstream: { connected: true } });
    const page = await (await fetch(site.gateway.addresses().status)).text();
    expect(page).toContain('<title>Lintel gateway</title>');
  });
});
