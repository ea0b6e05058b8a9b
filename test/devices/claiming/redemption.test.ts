import { createPublicKey, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import { deleteDevice } from '@lintel/cloud-bridge/resources/devices';
import { replaceDeviceHardware } from '@lintel/cloud-bridge/resources/device-replacement';
import { rotateMasterKey } from '@lintel/cloud-bridge/resources/key-rotation';
import { renewalSigningBytes, type Renewed } from '@lintel/wire-protocol/claiming/redemption';
import { readTechnicianPass } from '@lintel/wire-protocol/claiming/technician-pass';
import { connect, connectAsync, type IClientOptions } from 'mqtt';
import { expect, it } from 'vitest';
import { signedIn } from '../../support/bridge/administration.ts';
import type { BridgeWorld } from '../../support/bridge/bridge-world.ts';
import { certificateRequest } from '../../support/devices/certificate-request.ts';
import { aTicket, ControllerIdentity } from '../../support/devices/controller-identity.ts';
import { aController, DeviceHotel } from '../../support/devices/device-hotel.ts';
import { eventsOf } from '../../support/devices/journal-of.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';
import { administer, aDevice, aSite, door } from '../../support/bridge/place.ts';
import { TestController } from '../../support/devices/test-controller.ts';

const renew = async (world: BridgeWorld, controller: TestController, change: object = {}) => {
  const { device_id, serial } = controller.claimed;
  const content = { device_id, serial, csr: certificateRequest(controller.identity.key), digest_key: null };
  const signature = Buffer.from(controller.identity.sign(renewalSigningBytes(content))).toString('base64url');
  const payload = { v: 1, ...content, signature, ...change };
  const answer = await world.bridge.app.inject({ method: 'POST', url: '/claim/v1/renew', payload });
  return { status: answer.statusCode, body: answer.json<Renewed>() };
};

const isLetIn = (controller: TestController, url: string): Promise<boolean> =>
  controller.connect(url).then(
    () => true,
    () => false,
  );

/** Whether the broker says welcome before it hangs up. */
const isConnected = async (url: string, options: IClientOptions): Promise<boolean> => {
  const client = connect(url, { ...options, reconnectPeriod: 0 });
  const welcome = await new Promise<boolean>(resolve => {
    client.on('error', () => undefined);
    client.once('connect', () => resolve(true));
    client.once('close', () => resolve(false));
  });
  await client.endAsync(true);
  return welcome;
};

onBothEngines('claiming a controller', world => {
  it('with a ticket of a site makes a device with its gadgets, once', async () => {
    const client = await world().newOrganization();
    const site_id = await aSite(world(), client);
    const { ticket, id } = await aTicket(world(), client, { site_id });
    const identity = new ControllerIdentity(world());
    const claimed = await identity.redeem(world(), { ticket, name: 'Back door', gadgets: [door] });
    const device = await client.done('GET', `/devices/${claimed.device_id}?expand=gadgets`);
    expect(device).toMatchObject({
      name: 'Back door',
      hardware_id: identity.hardwareId,
      status: { online: false },
      gadgets: [{ name: 'Front door' }],
    });
    expect(claimed).toMatchObject({ organization_id: client.organizationId, site_id });
    expect(claimed.certificate).toContain('BEGIN CERTIFICATE');
    expect(await eventsOf(world(), client)).toContain(`use claim_ticket ${claimed.device_id} ${site_id} ${id}`);
    const again = await new ControllerIdentity(world()).tryRedeem(world(), { ticket });
    expect(again).toMatchObject({ status: 400, body: { args: { field: 'ticket' } } });
  });

  it('answers the same controller again when the first answer was lost, with the same device and certificate', async () => {
    const client = await world().newOrganization();
    const { ticket } = await aTicket(world(), client, { site_id: await aSite(world(), client) });
    const identity = new ControllerIdentity(world());
    const first = await identity.redeem(world(), { ticket, gadgets: [door] });
    expect(await identity.redeem(world(), { ticket, gadgets: [door] })).toEqual(first);
    expect((await client.done('GET', '/devices')).data).toHaveLength(1);
  });

  it('with the code of a ticket, typed in whatever way, puts its hardware in the place of a device', async () => {
    const client = await world().newOrganization();
    const site_id = await aSite(world(), client);
    const { deviceId } = await aDevice(world(), client, { site_id });
    const { code } = await aTicket(world(), client, { site_id, device_id: deviceId });
    const identity = new ControllerIdentity(world());
    const claimed = await identity.redeem(world(), { code: code.toLowerCase().replaceAll('-', ' ') });
    expect(claimed.device_id).toBe(deviceId);
    expect(await client.done('GET', `/devices/${deviceId}`)).toMatchObject({ hardware_id: identity.hardwareId });
  });

  it('takes the product of the device that the ticket names when the controller does not say it', async () => {
    const client = await world().newOrganization();
    const site_id = await aSite(world(), client);
    const { deviceId } = await aDevice(world(), client, { site_id });
    const { code } = await aTicket(world(), client, { site_id, device_id: deviceId });
    const claimed = await new ControllerIdentity(world()).redeem(world(), { code, product_id: null });
    expect(claimed).toMatchObject({ device_id: deviceId, product_id: 'virtual' });
    const { ticket } = await aTicket(world(), client, { site_id });
    const refused = await new ControllerIdentity(world()).tryRedeem(world(), { ticket, product_id: null });
    expect(refused).toMatchObject({ status: 400, body: { args: { field: 'product_id' } } });
  });

  it('gives a gateway, and nobody else, a certificate for servers too, also when it is renewed', async () => {
    const { client, controller, siteId } = await DeviceHotel.open(world());
    const gateway = await aController(world(), client, siteId, { product_id: 'gateway', gadgets: [] });
    const usagesOf = (pem: string): string[] => new X509Certificate(pem).keyUsage;
    const [clients, servers] = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1'];
    expect(usagesOf(controller.claimed.certificate)).toEqual([clients]);
    expect(usagesOf(gateway.claimed.certificate)).toEqual([clients, servers]);
    expect(usagesOf((await renew(world(), controller)).body.certificate)).toEqual([clients]);
    expect(usagesOf((await renew(world(), gateway)).body.certificate)).toEqual([clients, servers]);
  });

  it('is refused without a word on why, when the ticket is unknown, too old, revoked or of another organization', async () => {
    const client = await world().newOrganization();
    const site_id = await aSite(world(), client);
    const { ticket, code, id } = await aTicket(world(), client, { site_id });
    const identity = new ControllerIdentity(world());
    const refusal = async (given: object) => {
      const { status, body } = await identity.tryRedeem(world(), given);
      return `${status} ${(body['args'] as { field: string }).field}`;
    };
    expect(await refusal({ ticket: `${ticket.slice(0, -4)}AAAA` })).toBe('400 ticket');
    expect(await refusal({ code: '0000-0000-0000' })).toBe('400 code');
    expect(await refusal({ code: 'x' })).toBe('400 code');
    expect(
      await refusal({ ticket, csr: certificateRequest(identity.key, 'x', generateKeyPairSync('ed25519').privateKey) }),
    ).toBe('400 csr');
    expect(await refusal({ ticket, csr: 'nonsense' })).toBe('400 csr');
    expect(await refusal({ ticket, product_id: 'no-such-product' })).toBe('400 product_id');
    expect(await refusal({ ticket, code })).toBe('400 ticket');
    const { storage } = world().bridge.services;
    await storage.writer.updateTable('claim_tickets').set({ revoked_at: 1 }).where('id', '=', id).execute();
    expect(await refusal({ ticket })).toBe('400 ticket');
    const late = await aTicket(world(), client, { site_id });
    world().passSeconds(3601);
    expect(await refusal({ ticket: late.ticket })).toBe('400 ticket');
  });

  it('lets the claimed controller in by its key, and nobody else in its name', async () => {
    const hotel = await DeviceHotel.open(world());
    const { client, controller, url, siteId } = hotel;
    const other = await aController(world(), client, siteId);
    expect(await isLetIn(controller, url)).toBe(true);
    await controller.stop();
    const impostor = new TestController(world(), other.identity, controller.claimed);
    expect(await isLetIn(impostor, url)).toBe(false);
    const borrowed = { ...controller.claimed, device_id: other.deviceId };
    expect(await isLetIn(new TestController(world(), controller.identity, borrowed), url)).toBe(false);
    const login = {
      username: controller.deviceId,
      password: controller.identity.password(controller.claimed, world().now),
    };
    await expect(connectAsync(url, { ...login, clientId: other.deviceId, reconnectPeriod: 0 })).rejects.toThrow();
    await expect(connectAsync(url, { clientId: controller.deviceId, reconnectPeriod: 0 })).rejects.toThrow();
    world().passSeconds(301);
    await expect(connectAsync(url, { ...login, clientId: controller.deviceId, reconnectPeriod: 0 })).rejects.toThrow();
  });

  it('renews a certificate, and the new one counts from the moment it is used', async () => {
    const hotel = await DeviceHotel.running(world());
    const { controller, url } = hotel;
    const { status, body } = await renew(world(), controller);
    expect(status).toBe(200);
    expect(body.serial).not.toBe(controller.claimed.serial);
    expect((await renew(world(), controller)).body.serial).toBe(body.serial);
    const id = await hotel.member();
    await hotel.untilHeld(id);
    await controller.stop();
    controller.claimed = { ...controller.claimed, serial: body.serial };
    controller.windows = { ...controller.windows, down: { highest: 0, missing: [] } };
    await controller.start(url);
    await hotel.untilHeld(await hotel.member());
    expect(controller.refused).toEqual([]);
    await controller.stop();
  });

  it('refuses a renewal that the key of the certificate has not signed', async () => {
    const { controller } = await DeviceHotel.open(world());
    const signature = Buffer.alloc(64).toString('base64url');
    expect((await renew(world(), controller, { signature })).status).toBe(403);
    expect((await renew(world(), controller, { digest_key: controller.identity.digestKey })).status).toBe(403);
    expect((await renew(world(), controller, { serial: 'ff' })).status).toBe(403);
  });

  it('digests PINs under another key from the moment the controller has told it', async () => {
    const hotel = await DeviceHotel.running(world());
    const { controller, url } = hotel;
    const id = await hotel.member([hotel.groupId], '7531');
    await hotel.untilHeld(id);
    await controller.stop();
    const { device_id, serial } = controller.claimed;
    const digest_key = { id: 'k2', key: Buffer.alloc(32, 7).toString('base64url') };
    const csr = certificateRequest(controller.identity.key);
    const content = { device_id, serial, csr, digest_key };
    const signature = Buffer.from(controller.identity.sign(renewalSigningBytes(content))).toString('base64url');
    expect((await renew(world(), controller, { ...content, signature })).status).toBe(200);
    controller.identity.digestKey = digest_key;
    await controller.start(url);
    await controller.until(
      () => hotel.held(id)?.pins[0]?.digest === controller.identity.digest('pin', '7531'),
      'the PIN',
    );
    await controller.stop();
  });

  it('keeps its digest keys through a rotation of the master key', async () => {
    const hotel = await DeviceHotel.open(world());
    const id = await hotel.member([hotel.groupId], '2468');
    await rotateMasterKey(world().bridge.services);
    await hotel.controller.start(hotel.url);
    expect(hotel.held(id)?.pins[0]?.digest).toBe(hotel.controller.identity.digest('pin', '2468'));
    await hotel.controller.stop();
  });

  it('sends a controller away at once, and for good, when its device is deleted or its hardware replaced', async () => {
    for (const end of ['delete', 'replace'] as const) {
      const { client, controller, url } = await DeviceHotel.running(world());
      const closed = new Promise<void>(resolve => {
        controller.mqtt.once('close', () => resolve());
      });
      await administer(world(), client, async context => {
        if (end === 'delete') return deleteDevice(context, controller.deviceId);
        const device = await context.db
          .selectFrom('devices')
          .selectAll()
          .where('id', '=', controller.deviceId)
          .executeTakeFirstOrThrow();
        return replaceDeviceHardware(context, device, { hardware_id: world().bridge.services.newId('hardware') });
      });
      await closed;
      expect([end, await isLetIn(controller, url)]).toEqual([end, false]);
      expect((await renew(world(), controller)).status).toBe(403);
    }
  });

  it('gives a technician a pass for the own site, which its controllers can check by themselves', async () => {
    const { client, controller, siteId } = await DeviceHotel.open(world());
    const technician = await signedIn(world(), client.organizationId, 'technician', [siteId]);
    const { pass, expires_at } = await technician.done('POST', '/technician_passes', { site_id: siteId });
    expect(expires_at).toBe(new Date(world().now + 7 * 86_400_000).toISOString());
    const { organization_id, site_id, organization_key } = controller.claimed;
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: organization_key }, format: 'jwk' });
    const read = readTechnicianPass(String(pass), { organization_id, site_id, now: world().now }, (bytes, signature) =>
      verify(null, bytes, key, signature),
    );
    expect(read).toMatchObject({ ok: true, value: { user_id: technician.userId } });
    const other = await aSite(world(), client);
    expect((await technician.call('POST', '/technician_passes', { site_id: other })).status).toBe(400);
    const viewer = await signedIn(world(), client.organizationId, 'viewer');
    expect((await viewer.call('POST', '/technician_passes', { site_id: siteId })).status).toBe(403);
  });

  it('asks for the certificate itself on the encrypted listener, and for one of its own authority', async () => {
    const { controller } = await DeviceHotel.open(world());
    const { devices } = world().bridge;
    const authority = await devices.authority();
    const identity = await authority.issueServerCertificate(['localhost', '127.0.0.1'], world().now);
    const port = await devices.broker!.listenTls('127.0.0.1', 0, identity, authority.certificate);
    const url = `mqtts://127.0.0.1:${port}`;
    const { certificate, ca_certificate: ca } = controller.claimed;
    const key = controller.identity.key.export({ format: 'pem', type: 'pkcs8' });
    await controller.connect(url, { ca, cert: certificate, key });
    await controller.hello();
    await controller.until(() => controller.held !== null, 'a slice');
    await controller.stop();
    const server = { cert: identity.certificate, key: identity.key };
    expect(await isConnected(url, { ca, clientId: controller.deviceId })).toBe(false);
    expect(await isConnected(url, { ca, ...server, clientId: controller.deviceId })).toBe(false);
  });
});
