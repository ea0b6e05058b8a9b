import { encodeCertificateRenewalSigningBytes } from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { buildDeviceDownlinkFilter, buildRevocationTopic, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { connect } from 'mqtt';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callAsOwner } from '../support/bridge/admin-client.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { certificateRequest } from '../support/devices/certificate-request.ts';
import { ControllerSite } from '../support/devices/controller-site.ts';
import { GatewaySite } from '../support/devices/gateway-site.ts';
import { TestController } from '../support/devices/test-controller.ts';

const useEvent = (controller: TestController, gadget_id: string) =>
  controller.event({ kind: 'use', gadget_id: gadget_id as never, gadget_action_id: 'open' });

describe('site gateway', () => {
  let bridge: TestBridge;
  let site: GatewaySite;

  beforeAll(async () => {
    bridge = await TestBridge.open({ isTicking: true });
    return () => bridge.close();
  });

  beforeEach(async () => {
    site = await GatewaySite.open(bridge);
  });

  afterEach(() => site.close());

  it('connects a controller to the bridge: hello, snapshot, events and acknowledgements', async () => {
    const { controller, gadgetId } = site;
    await controller.start(site.url);
    expect(controller.messagesOf('bridge-link').at(-1)).toEqual({ v: 1, online: true });
    expect(await site.isOnline(controller.deviceId)).toBe(true);
    const tap = useEvent(controller, gadgetId);
    const acknowledged = controller.next('ack');
    await controller.send('events', { v: 1, events: [tap] });
    expect((await acknowledged).event_ids).toEqual([tap.id]);
    expect(await site.recordedEventIds(controller)).toEqual([tap.id]);
    expect(controller.rejections).toEqual([]);
  });

  it('acknowledges no event in place of the bridge, and tells the controller when to send it again', async () => {
    const { controller, gadgetId } = site;
    await controller.start(site.url);
    await site.cutLink();
    await controller.waitUntil(
      () => controller.messagesOf('bridge-link').at(-1)?.online === false,
      'the link to be down',
    );
    const taps = Array.from({ length: 40 }, () => useEvent(controller, gadgetId));
    for (const tap of taps) await controller.send('events', { v: 1, events: [tap] });
    await expect.poll(() => site.gateway.status().traffic.offline).toBe(40);
    expect(controller.messagesOf('ack')).toEqual([]);
    await site.restoreLink();
    await controller.waitUntil(() => controller.messagesOf('bridge-link').at(-1)?.online === true, 'the link to be up');
    await controller.hello();
    await controller.send('events', { v: 1, events: taps });
    await controller.waitUntil(() => controller.messagesOf('ack').length > 0, 'the acknowledgement');
    expect(await site.recordedEventIds(controller)).toEqual(taps.map(({ id }) => id));
  });

  it('forwards uplink and downlink messages byte for byte', async () => {
    const { controller } = site;
    const broker = bridge.devices.transport;
    const received: string[] = [];
    broker.onMessage((topic, payload) => received.push(`${topic} ${Buffer.from(payload).toString('hex')}`));
    await controller.start(site.url);
    const sent = controller.encode('events', { v: 1, events: [useEvent(controller, site.gadgetId)] });
    await controller.publish(buildUplinkTopic(controller.deviceId, 'events'), sent);
    await expect
      .poll(() => received)
      .toContain(`${buildUplinkTopic(controller.deviceId, 'events')} ${Buffer.from(sent).toString('hex')}`);
    // The controller verifies the signature of every downlink message.
    expect(controller.rejections).toEqual([]);
  });

  it('forwards messages between controllers while the link is down', async () => {
    const reader = site.controller;
    const owner = await site.claimAnotherController();
    await reader.start(site.url);
    await owner.start(site.url);
    await site.cutLink();
    const received = new Promise<string>(resolve => {
      owner.mqtt.on('message', (topic, payload) => {
        if (topic.endsWith('/down/peer-hello')) resolve(payload.toString('hex'));
      });
    });
    const frame = reader.encode('peer-hello', { v: 1, request_id: 'r1' }, owner.deviceId);
    await reader.publish(buildUplinkTopic(reader.deviceId, 'peer-hello'), frame);
    expect(await received).toBe(Buffer.from(frame).toString('hex'));
  });

  it('drops a message between controllers that the sender has not signed', async () => {
    const reader = site.controller;
    const owner = await site.claimAnotherController();
    await reader.start(site.url);
    await owner.start(site.url);
    const forged = owner.encode('peer-hello', { v: 1, request_id: 'r1' }, owner.deviceId);
    const before = site.gateway.status().traffic.dropped;
    await reader.publish(buildUplinkTopic(reader.deviceId, 'peer-hello'), forged);
    await expect.poll(() => site.gateway.status().traffic.dropped).toBe(before + 1);
    expect(owner.messagesOf('peer-hello')).toEqual([]);
  });

  it('sends stored revocations to a controller that connects while the link is down', async () => {
    const { controller, client } = site;
    await controller.start(site.url);
    const member = await site.createMember();
    await site.waitUntilMemberCached(member);
    await controller.stop();
    await client.callOk('DELETE', `/members/${member}`);
    await expect.poll(() => site.gateway.status().revocations).toBe(1);
    await site.cutLink();
    await controller.connect(site.url);
    await controller.waitUntil(() => controller.messagesOf('revoke').length === 1, 'the revocation');
    expect(controller.messagesOf('revoke')[0]!.member_ids).toEqual([member]);
    expect(controller.messagesOf('bridge-link').at(-1)).toEqual({ v: 1, online: false });
  });

  it('reports a controller offline when it disconnects, and all of them when the link is cut', async () => {
    const { controller } = site;
    const other = await site.claimAnotherController();
    await controller.start(site.url);
    await other.start(site.url);
    expect(await site.isOnline(other.deviceId)).toBe(true);
    await other.stop();
    await expect.poll(() => site.isOnline(other.deviceId)).toBe(false);
    expect(await site.isOnline(controller.deviceId)).toBe(true);
    site.link.cut();
    await expect.poll(() => site.isOnline(controller.deviceId)).toBe(false);
  });

  it('does not set a controller offline that connects to the bridge directly', async () => {
    const { controller } = site;
    await controller.start(site.url);
    const connection = controller.mqtt;
    await controller.start(site.bridgeUrl);
    await connection.endAsync(true);
    await expect
      .poll(() => site.gateway.status().controllers.find(one => one.device_id === controller.deviceId)?.connected)
      .toBe(false);
    await bridge.devices.whenIdle();
    expect(await site.isOnline(controller.deviceId)).toBe(true);
  });

  it('accepts a newly claimed controller, and disconnects a deleted one', async () => {
    const other = await site.claimAnotherController();
    await other.start(site.url);
    const lost = new Promise<void>(resolve => other.mqtt.once('close', () => resolve()));
    await callAsOwner(bridge, site.client, 'DELETE', `/devices/${other.deviceId}`);
    await lost;
    await expect(other.connect(site.url)).rejects.toThrow();
    await site.controller.start(site.url);
  });

  it('refuses controllers of other sites', async () => {
    const elsewhere = await ControllerSite.open(bridge);
    await expect(elsewhere.controller.connect(site.url)).rejects.toThrow();
    await expect(site.controller.connect(site.url)).resolves.toBeDefined();
  });

  it('limits each controller to its own topics', async () => {
    const { controller } = site;
    const other = await site.claimAnotherController();
    await controller.start(site.url);
    await expect(
      controller.mqtt.subscribeAsync(buildDeviceDownlinkFilter(other.deviceId), { qos: 1 }),
    ).rejects.toThrow();
    await expect(controller.mqtt.subscribeAsync('#', { qos: 1 })).rejects.toThrow();
    await controller.mqtt.subscribeAsync(buildRevocationTopic(controller.claimed.organization_id), { qos: 1 });
    const lost = new Promise<void>(resolve => controller.mqtt.once('close', () => resolve()));
    controller.mqtt.publish(buildUplinkTopic(other.deviceId, 'status'), '{}', { qos: 0 });
    await lost;
  });

  it('tells a controller that edited its input rules when to send the edit again', async () => {
    const { controller, gadgetId } = site;
    await controller.start(site.url);
    await site.cutLink();
    const input_rules = [{ code: '*1', gadget_id: gadgetId as never, action_id: 'open' }];
    const base_revision = controller.snapshot!.revision;
    const edit = { v: 1, base_revision, edited_at: bridge.now, pass_id: null, user_id: null, input_rules } as const;
    await controller.send('rules-changed', { ...edit, input_rules });
    await expect.poll(() => site.gateway.status().traffic.offline).toBe(1);
    await site.restoreLink();
    await controller.waitUntil(() => controller.messagesOf('bridge-link').at(-1)?.online === true, 'the link to be up');
    await controller.send('rules-changed', { ...edit, input_rules });
    await controller.waitUntil(() => controller.messagesOf('rules').length === 1, 'the response to the edit');
    expect(controller.messagesOf('rules')[0]).toMatchObject({ outcome: 'accepted' });
    const device = await site.client.callOk('GET', `/devices/${controller.deviceId}`);
    expect(device['input_rules']).toMatchObject([{ code: '*1' }]);
  });

  it('accepts a renewed certificate, and refuses the one of replaced hardware', async () => {
    const { controller, client } = site;
    await controller.start(site.url);
    await controller.stop();
    const { device_id, serial } = controller.claimed;
    const content = { device_id, serial, csr: certificateRequest(controller.identity.key), digest_key: null };
    const signature = Buffer.from(controller.identity.sign(encodeCertificateRenewalSigningBytes(content))).toString(
      'base64url',
    );
    const payload = { v: 1, ...content, signature };
    const renewed = await bridge.app.inject({ method: 'POST', url: '/claim/v1/renew', payload });
    const before = controller.claimed;
    controller.claimed = { ...before, serial: renewed.json<{ serial: string }>().serial };
    expect(controller.claimed.serial).not.toBe(before.serial);
    const canConnect = () =>
      controller.connect(site.url).then(
        () => true,
        () => false,
      );
    await expect.poll(canConnect).toBe(true);
    const lost = new Promise<void>(resolve => controller.mqtt.once('close', () => resolve()));
    const place = { site_id: site.siteId, device_id: controller.deviceId };
    const board = await TestController.claim(bridge, client, place);
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

  it('serves TLS with its certificate, and identifies controllers by theirs', async () => {
    const { controller, gadgetId } = site;
    const stranger = (await ControllerSite.open(bridge)).controller;
    const tls = ({ claimed, identity }: TestController) => ({
      ca: claimed.ca_certificate,
      cert: claimed.certificate,
      key: identity.key.export({ type: 'pkcs8', format: 'pem' }),
      checkServerIdentity: () => undefined,
    });
    const { mqtts } = site.gateway.addresses();
    await controller.connect(mqtts, tls(controller));
    await controller.hello();
    await controller.waitUntil(() => controller.snapshot !== null, 'a snapshot');
    const acknowledged = controller.next('ack');
    await controller.send('events', { v: 1, events: [useEvent(controller, gadgetId)] });
    await acknowledged;
    await expect(stranger.connect(mqtts, tls(stranger))).rejects.toThrow();
    const anonymous = connect(mqtts, { rejectUnauthorized: false, reconnectPeriod: 0 });
    let isAccepted = false;
    anonymous
      .on('error', () => undefined)
      .on('connect', () => {
        isAccepted = true;
      });
    await new Promise<void>(resolve => anonymous.once('close', () => resolve()));
    expect(isAccepted).toBe(false);
  });

  it('is a device with a status page, the time of the bridge, and a list of its controllers', async () => {
    const status = site.gateway.status();
    expect(await site.isOnline(status.device_id!)).toBe(true);
    expect(status.clock).toMatchObject({ trusted: true, source: 'bridge' });
    expect(status.controllers).toMatchObject([
      { device_id: site.controller.deviceId, name: 'Front', connected: false },
    ]);
    expect(status.faults).toEqual([]);
    const response = await fetch(`${site.gateway.addresses().status}/status.json`);
    expect(await response.json()).toMatchObject({ device_id: status.device_id, upstream: { connected: true } });
    const page = await (await fetch(site.gateway.addresses().status)).text();
    expect(page).toContain('<title>Lintel gateway</title>');
  });
});
