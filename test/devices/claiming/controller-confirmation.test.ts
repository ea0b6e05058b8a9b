import { randomBytes } from 'node:crypto';
import { runAlerts } from '@lintel/cloud-bridge/testing';
import type { SiteId } from '@lintel/access-core/ids';
import { buildDeviceDownlinkFilter, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { expect, it } from 'vitest';
import {
  AdminClient,
  adminWithScriptToken,
  adminWithToken,
  openAdminSession,
} from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import type { TestBridge } from '../../support/bridge/test-bridge.ts';
import { createTestDevice, door } from '../../support/bridge/site-fixtures.ts';
import { ControllerIdentity } from '../../support/devices/controller-identity.ts';
import { ControllerSite } from '../../support/devices/controller-site.ts';
import { TestController } from '../../support/devices/test-controller.ts';
import { waitUntil } from '../../support/wait-until.ts';

const PIN = '258013';

/** A site with a confirmed controller, and a group whose members may open every door of the site. */
class SiteWithTechnician {
  readonly site: ControllerSite;
  readonly technician: AdminClient;
  readonly owner: AdminClient;
  readonly memberId: string;

  private constructor(site: ControllerSite, technician: AdminClient, owner: AdminClient, memberId: string) {
    this.site = site;
    this.technician = technician;
    this.owner = owner;
    this.memberId = memberId;
  }

  static async open(bridge: TestBridge): Promise<SiteWithTechnician> {
    const site = await ControllerSite.openConnected(bridge);
    const { client, siteId } = site;
    const everywhere = { name: 'Staff', permissions: [{ site_id: siteId }] };
    const { id: groupId } = await client.callOk('POST', '/member_groups', everywhere);
    const memberId = await site.createMember([groupId], PIN);
    await site.waitUntilMemberCached(memberId);
    const technician = await openAdminSession(bridge, client.organizationId, 'technician', [siteId]);
    const owner = await openAdminSession(bridge, client.organizationId, 'owner');
    return new SiteWithTechnician(site, technician, owner, memberId);
  }

  /** What a person with a ticket and a laptop can do. */
  async claim(issuer: AdminClient, given: { readonly device_id?: string } = {}): Promise<TestController> {
    const { bridge } = this.site;
    const created = await issuer.callOk('POST', '/claim_tickets', { site_id: this.site.siteId, ...given });
    const identity = new ControllerIdentity(bridge);
    const ticket = String(created['ticket']);
    const description = given.device_id === undefined ? { name: 'Laptop', gadgets: [door] } : {};
    return new TestController(bridge, identity, await identity.redeem(bridge, { ticket, ...description }));
  }

  async stop(...others: readonly TestController[]): Promise<void> {
    for (const controller of [this.site.controller, ...others]) await controller.stop();
  }

  memberTypes({ entries }: TestController): string[] {
    const ofPeople = [...entries.values()].filter(
      ({ type, id }) => type === 'member' || (type === 'member_group' && id !== 'mg_elsewhere'),
    );
    return ofPeople.map(({ type }) => type).toSorted();
  }

  async waiting(deviceId: string): Promise<Record<string, unknown>[]> {
    const { waiting } = await this.owner.callOk('GET', `/devices/${deviceId}/connection`);
    return waiting as Record<string, unknown>[];
  }

  /** What each caller sees under "needs attention". */
  async attention(caller: AdminClient): Promise<Record<string, unknown>[]> {
    const items = (await caller.callOk('GET', '/attention'))['items'] as Record<string, unknown>[];
    return items.filter(({ kind }) => kind === 'device_unconfirmed');
  }
}

describeOnSqliteFirst('confirmation of controllers', bridge => {
  it('keeps members from a controller that a technician claims until an administrator confirms it', async () => {
    const world = await SiteWithTechnician.open(bridge());
    const { site, technician, owner, memberId } = world;
    const laptop = await world.claim(technician);
    expect(laptop.claimed.is_confirmed).toBe(false);
    await laptop.start(site.url);
    expect(world.memberTypes(laptop)).toEqual([]);
    expect(laptop.entries.get(`device ${laptop.deviceId}`)).toMatchObject({ confirmation: 'waiting' });
    expect([...laptop.entries.values()].map(({ type }) => type)).toContain('gadget');
    // A later change does not reach it either.
    await site.createMember([site.groupId], '8520');
    await bridge().devices.whenIdle();
    expect(JSON.stringify([...laptop.received])).not.toContain(memberId);

    const [waiting] = await world.waiting(laptop.deviceId);
    expect(waiting).toMatchObject({
      is_replacement: false,
      claimed_by: 'technician',
      hardware_id: laptop.identity.hardwareId,
    });
    expect(await world.attention(owner)).toMatchObject([{ device_id: laptop.deviceId, site_id: site.siteId }]);
    expect(await world.attention(technician)).toEqual([]);
    const confirm = (caller: AdminClient, body: object) =>
      caller.call('POST', `/devices/${laptop.deviceId}/confirm`, body);
    expect((await confirm(technician, {})).status).toBe(403);
    expect((await confirm(owner, { fingerprint: 'a'.repeat(64) })).body['args']).toMatchObject({
      field: 'fingerprint',
    });
    expect((await confirm(owner, { fingerprint: waiting!['fingerprint'] })).status).toBe(200);
    await laptop.waitUntil(() => site.cachedMember(memberId, laptop) !== undefined, 'the member');
    expect(laptop.entries.get(`device ${laptop.deviceId}`)).not.toHaveProperty('confirmation');
    expect(await world.attention(owner)).toEqual([]);
    expect((await confirm(owner, {})).status).toBe(404);
    await world.stop(laptop);
  });

  it('leaves the present controller in use until an administrator confirms its replacement', async () => {
    const world = await SiteWithTechnician.open(bridge());
    const { site, technician, owner, memberId } = world;
    const { deviceId } = site.controller;
    const request = { site_id: site.siteId, device_id: deviceId };
    const ticket = String((await technician.callOk('POST', '/claim_tickets', request))['ticket']);
    const [laptop, other] = [new ControllerIdentity(bridge()), new ControllerIdentity(bridge())];
    const refused = await laptop.tryRedeem(bridge(), { ticket });
    expect(refused).toMatchObject({ status: 202, body: { type: 'confirmation_required' } });
    expect(JSON.stringify(refused.body)).not.toContain('CERTIFICATE');
    expect((await laptop.tryRedeem(bridge(), { ticket })).status).toBe(202);
    expect((await other.tryRedeem(bridge(), { ticket })).status).toBe(400);
    expect(await site.isOnline()).toBe(true);
    const later = await site.createMember([site.groupId], '8520');
    await site.waitUntilMemberCached(later);

    const [waiting] = await world.waiting(deviceId);
    expect(waiting).toMatchObject({ is_replacement: true, hardware_id: laptop.hardwareId, claimed_by: 'technician' });
    const { fingerprint } = waiting!;
    await owner.callOk('POST', `/devices/${deviceId}/confirm`, { fingerprint });
    expect(await world.waiting(deviceId)).toEqual([]);
    expect((await other.tryRedeem(bridge(), { ticket })).status).toBe(400);
    const replacement = new TestController(bridge(), laptop, await laptop.redeem(bridge(), { ticket }));
    expect(replacement.claimed).toMatchObject({ device_id: deviceId, is_confirmed: true });
    await replacement.start(site.url);
    await replacement.waitUntil(() => site.cachedMember(memberId, replacement) !== undefined, 'the member');
    await world.stop(replacement);
  });

  it('rejects controllers: a new device is deleted, a replacement leaves everything as it is', async () => {
    const world = await SiteWithTechnician.open(bridge());
    const { site, technician, owner } = world;
    const laptop = await world.claim(technician);
    await laptop.start(site.url);
    await owner.callOk('POST', `/devices/${laptop.deviceId}/reject`, {});
    const { is_deleted } = await owner.callOk('GET', `/devices/${laptop.deviceId}`);
    expect(is_deleted).toBe(true);
    await expect(laptop.connect(site.url)).rejects.toThrow();

    const { deviceId } = site.controller;
    const { ticket } = await technician.callOk('POST', '/claim_tickets', { site_id: site.siteId, device_id: deviceId });
    const identity = new ControllerIdentity(bridge());
    await identity.tryRedeem(bridge(), { ticket: String(ticket) });
    await owner.callOk('POST', `/devices/${deviceId}/reject`, {});
    expect((await identity.tryRedeem(bridge(), { ticket: String(ticket) })).status).toBe(400);
    expect(await site.isOnline()).toBe(true);

    // A device without a controller stays, so that another one can be claimed for it.
    const placeholder = await createTestDevice(bridge(), site.client, { site_id: site.siteId as SiteId });
    const second = await world.claim(technician, { device_id: placeholder.deviceId });
    await second.start(site.url);
    expect(world.memberTypes(second)).toEqual([]);
    await owner.callOk('POST', `/devices/${placeholder.deviceId}/reject`, {});
    await expect.poll(() => site.isOnline(placeholder.deviceId)).toBe(false);
    expect(await owner.callOk('GET', `/devices/${placeholder.deviceId}`)).toMatchObject({ is_deleted: false });
    expect(await world.waiting(placeholder.deviceId)).toEqual([]);
    await expect(second.connect(site.url)).rejects.toThrow();
    await world.stop(laptop, second);
  });

  it('is needed for tickets of technicians and scripts, as far as their issuers still have the right', {
    tags: ['slow'],
  }, async () => {
    const world = await SiteWithTechnician.open(bridge());
    const { site, technician, owner } = world;
    const { organizationId } = site.client;
    const isConfirmed = async (issuer: AdminClient) => (await world.claim(issuer)).claimed.is_confirmed;
    expect(await isConfirmed(owner)).toBe(true);
    expect(await isConfirmed(await openAdminSession(bridge(), organizationId, 'administrator'))).toBe(true);
    const application = await adminWithToken(bridge(), organizationId, 'full_read_write');
    expect((await application.call('POST', '/claim_tickets', { site_id: site.siteId })).status).toBe(403);
    expect(await isConfirmed(await adminWithScriptToken(bridge(), organizationId))).toBe(true);
    const created = await owner.callOk('POST', '/tokens', { name: 'script', scope: 'full_read_write' });
    const authorization = `Bearer ${String(created['access_token'])}`;
    const script = new AdminClient(bridge(), organizationId, owner.userId, { authorization });
    expect(await isConfirmed(script)).toBe(false);
    const allow = { technicians_activate_controllers: true };
    expect((await technician.call('PATCH', '', allow)).status).toBe(403);
    expect((await application.call('PATCH', '', allow)).status).toBe(403);
    expect(await owner.callOk('PATCH', '', allow)).toMatchObject(allow);
    expect(await isConfirmed(technician)).toBe(true);
    expect(await isConfirmed(script)).toBe(false);

    await owner.callOk('PATCH', '', { technicians_activate_controllers: false });
    const former = await openAdminSession(bridge(), organizationId, 'administrator');
    const ticket = String((await former.callOk('POST', '/claim_tickets', { site_id: site.siteId }))['ticket']);
    await owner.callOk('DELETE', `/users/${former.userId}`);
    const identity = new ControllerIdentity(bridge());
    expect((await identity.redeem(bridge(), { ticket, name: 'Late' })).is_confirmed).toBe(false);
    const decide = `/devices/${(await world.claim(technician)).deviceId}/confirm`;
    for (const token of [application, script]) expect((await token.call('POST', decide, {})).status).toBe(403);
    for (const role of ['front_desk', 'viewer', 'technician'] as const)
      expect(
        (await (await openAdminSession(bridge(), organizationId, role, [site.siteId])).call('POST', decide, {})).status,
      ).toBe(403);
    await world.stop();
  });

  it('keeps controllers in use away from a gateway that a technician claims', { tags: ['slow'] }, async () => {
    const world = await SiteWithTechnician.open(bridge());
    const { site, technician, owner } = world;
    const { controller } = site;
    const issued = await technician.callOk('POST', '/claim_tickets', { site_id: site.siteId });
    const identity = new ControllerIdentity(bridge());
    const request = { ticket: String(issued['ticket']), product_id: 'gateway', name: 'Gateway' };
    const gateway = new TestController(bridge(), identity, await identity.redeem(bridge(), request));
    await gateway.start(site.url);
    await controller.stop();
    await bridge().devices.whenIdle();
    const forwarded: string[] = [];
    gateway.mqtt.on('message', topic => forwarded.push(topic));
    await gateway.mqtt.subscribeAsync(buildDeviceDownlinkFilter(controller.deviceId), { qos: 1 });
    const forwardHello = async (): Promise<void> => {
      const hello = controller.encode('hello', controller.helloMessage());
      await gateway.publish(buildUplinkTopic(controller.deviceId, 'hello'), hello);
      await bridge().devices.whenIdle();
    };
    await forwardHello();
    expect(forwarded.filter(topic => topic.includes(controller.deviceId))).toEqual([]);
    expect(await site.isOnline()).toBe(false);
    await owner.callOk('POST', `/devices/${gateway.deviceId}/confirm`, {});
    await forwardHello();
    await gateway.waitUntil(() => forwarded.some(topic => topic.includes(controller.deviceId)), 'the answer');
    expect(await site.isOnline()).toBe(true);
    await world.stop(gateway);
  });

  it('ends the session of a controller behind a gateway that waits when the controller is confirmed', async () => {
    const world = await SiteWithTechnician.open(bridge());
    const { site, technician, owner } = world;
    const issued = await technician.callOk('POST', '/claim_tickets', { site_id: site.siteId });
    const identity = new ControllerIdentity(bridge());
    const request = { ticket: String(issued['ticket']), product_id: 'gateway', name: 'Gateway' };
    const gateway = new TestController(bridge(), identity, await identity.redeem(bridge(), request));
    const laptop = await world.claim(technician);
    laptop.nonce = randomBytes(16).toString('base64url');
    await gateway.start(site.url);
    const kinds: (string | undefined)[] = [];
    gateway.mqtt.on('message', topic => {
      if (topic.includes(laptop.deviceId)) kinds.push(topic.split('/').at(-1));
    });
    await gateway.mqtt.subscribeAsync(buildDeviceDownlinkFilter(laptop.deviceId), { qos: 1 });
    await gateway.publish(buildUplinkTopic(laptop.deviceId, 'hello'), laptop.encode('hello', laptop.helloMessage()));
    await waitUntil(
      () => kinds.includes('snapshot'),
      () => 'the snapshot without members',
    );
    expect(await site.isOnline(laptop.deviceId)).toBe(true);

    const before = kinds.length;
    await owner.callOk('POST', `/devices/${laptop.deviceId}/confirm`, {});
    await bridge().devices.whenIdle();
    await waitUntil(
      async () => !(await site.isOnline(laptop.deviceId)),
      () => 'the end of the session',
    );
    expect(kinds.slice(before)).not.toContain('snapshot');
    await world.stop(gateway);
  });

  it('names the site and the person in an alert, which ends with the decision', { tags: ['slow'] }, async () => {
    const world = await SiteWithTechnician.open(bridge());
    const { technician, owner } = world;
    const webhook = { url: 'https://chat.example.test/hook', format: 'json' };
    const rule = { name: 'New', kind: 'device_claimed', webhook };
    await owner.callOk('POST', '/alert_rules', rule);
    const laptop = await world.claim(technician);
    const texts = async (): Promise<string[]> => {
      await runAlerts(bridge().services);
      const { items } = await owner.callOk('GET', '/active_alerts');
      return (items as { readonly text: string; readonly device_id: string }[])
        .filter(({ device_id }) => device_id === laptop.deviceId)
        .map(({ text }) => text);
    };
    expect(await texts()).toEqual([expect.stringMatching(/^New controller Laptop at .*, claimed by technician/)]);
    await owner.callOk('POST', `/devices/${laptop.deviceId}/reject`, {});
    expect(await texts()).toEqual([]);
    await world.stop();
  });

  it('is needed before other controllers accept requests of a controller, and before it gets the Bluetooth key', {
    tags: ['slow'],
  }, async () => {
    const world = await SiteWithTechnician.open(bridge());
    const { site, technician, owner } = world;
    const laptop = await world.claim(technician);
    await laptop.start(site.url);
    const rule = { code: '7', gadget_id: site.gadgetId, action_id: 'open' };
    await technician.callOk('PUT', `/devices/${laptop.deviceId}/input_rules`, { input_rules: [rule] });
    await laptop.waitUntil(() => laptop.entries.has(`gadget ${site.gadgetId}`), 'the gadget of the rule');
    await bridge().devices.whenIdle();
    const peer = `peer ${laptop.deviceId}`;
    expect(site.controller.entries.has(peer)).toBe(false);
    expect(world.memberTypes(laptop)).toEqual([]);
    const directory = async () => {
      const answered = laptop.next('site-directory');
      await laptop.send('site-request', { v: 1 });
      return answered;
    };
    expect(await directory()).not.toHaveProperty('bluetooth_key');
    await owner.callOk('POST', `/devices/${laptop.deviceId}/confirm`, {});
    await site.controller.waitUntil(() => site.controller.entries.has(peer), 'the new peer');
    expect(await directory()).toHaveProperty('bluetooth_key');
    await world.stop(laptop);
  });
});
