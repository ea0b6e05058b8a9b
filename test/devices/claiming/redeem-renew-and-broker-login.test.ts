import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { insertClaimedHardware } from '@lintel/cloud-bridge/testing';
import {
  encodeCertificateRenewalSigningBytes,
  type RenewCertificateResponse,
} from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { connect, connectAsync, type IClientOptions } from 'mqtt';
import { describe, expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import type { TestBridge } from '../../support/bridge/test-bridge.ts';
import { certificateRequest } from '../../support/devices/certificate-request.ts';
import { issueTicket, ControllerIdentity } from '../../support/devices/controller-identity.ts';
import { claimController, ControllerSite } from '../../support/devices/controller-site.ts';
import { eventsOf } from '../../support/devices/organization-events-and-access-changes.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { callAsOwner } from '../../support/bridge/admin-client.ts';
import { createTestDevice, createTestSite, door } from '../../support/bridge/site-fixtures.ts';
import { dataLocation, runLintel } from '../../support/processes/lintel-command.ts';
import { TestController } from '../../support/devices/test-controller.ts';

const renew = async (bridge: TestBridge, controller: TestController, change: object = {}) => {
  const { device_id, serial } = controller.claimed;
  const content = { device_id, serial, csr: certificateRequest(controller.identity.key), digest_key: null };
  const signature = Buffer.from(controller.identity.sign(encodeCertificateRenewalSigningBytes(content))).toString(
    'base64url',
  );
  const payload = { v: 1, ...content, signature, ...change };
  const answer = await bridge.app.inject({ method: 'POST', url: '/claim/v1/renew', payload });
  return { status: answer.statusCode, body: answer.json<RenewCertificateResponse>() };
};

const canConnect = (controller: TestController, url: string): Promise<boolean> =>
  controller.connect(url).then(
    () => true,
    () => false,
  );

/** Whether the broker accepts the connection before it closes it. */
const isAccepted = async (url: string, options: IClientOptions): Promise<boolean> => {
  const client = connect(url, { ...options, reconnectPeriod: 0 });
  const accepted = await new Promise<boolean>(resolve => {
    client.on('error', () => undefined);
    client.once('connect', () => resolve(true));
    client.once('close', () => resolve(false));
  });
  await client.endAsync(true);
  return accepted;
};

describeOnSqliteFirst('claiming', bridge => {
  describe('POST /claim/v1/redeem', () => {
    it('creates a device with its gadgets, once per ticket', async () => {
      const client = await bridge().newOrganization();
      const site_id = await createTestSite(bridge(), client);
      const { ticket, id } = await issueTicket(bridge(), client, { site_id });
      const identity = new ControllerIdentity(bridge());
      const claimed = await identity.redeem(bridge(), { ticket, name: 'Back door', gadgets: [door] });
      const device = await client.callOk('GET', `/devices/${claimed.device_id}?expand=gadgets`);
      expect(device).toMatchObject({
        name: 'Back door',
        hardware_id: identity.hardwareId,
        status: { online: false },
        gadgets: [{ name: 'Front door' }],
      });
      expect(claimed).toMatchObject({ organization_id: client.organizationId, site_id });
      expect(claimed.certificate).toContain('BEGIN CERTIFICATE');
      expect(await eventsOf(bridge(), client)).toContain(`use claim_ticket ${claimed.device_id} ${site_id} ${id}`);
      const again = await new ControllerIdentity(bridge()).tryRedeem(bridge(), { ticket });
      expect(again).toMatchObject({ status: 400, body: { args: { field: 'ticket' } } });
      const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
      const path = `/claim_tickets/${id}`;
      expect(await owner.callOk('DELETE', path)).toMatchObject({ id, status: 'redeemed' });
      bridge().advanceSeconds(3600);
      expect((await owner.callOk('GET', '/claim_tickets')).data).toMatchObject([{ id, status: 'redeemed' }]);
    });

    it('responds with the same device and certificate when the same controller retries', async () => {
      const client = await bridge().newOrganization();
      const { ticket } = await issueTicket(bridge(), client, { site_id: await createTestSite(bridge(), client) });
      const identity = new ControllerIdentity(bridge());
      const first = await identity.redeem(bridge(), { ticket, gadgets: [door] });
      expect(await identity.redeem(bridge(), { ticket, gadgets: [door] })).toEqual(first);
      expect((await client.callOk('GET', '/devices')).data).toHaveLength(1);
    });

    it('puts the hardware in place of an existing device, with a code in any spelling', async () => {
      const client = await bridge().newOrganization();
      const site_id = await createTestSite(bridge(), client);
      const { deviceId } = await createTestDevice(bridge(), client, { site_id });
      const { code } = await issueTicket(bridge(), client, { site_id, device_id: deviceId });
      const identity = new ControllerIdentity(bridge());
      const claimed = await identity.redeem(bridge(), { code: code.toLowerCase().replaceAll('-', ' ') });
      expect(claimed.device_id).toBe(deviceId);
      expect(await client.callOk('GET', `/devices/${deviceId}`)).toMatchObject({ hardware_id: identity.hardwareId });
    });

    it('takes the product of the existing device when the controller names none', async () => {
      const client = await bridge().newOrganization();
      const site_id = await createTestSite(bridge(), client);
      const { deviceId } = await createTestDevice(bridge(), client, { site_id });
      const { code } = await issueTicket(bridge(), client, { site_id, device_id: deviceId });
      const claimed = await new ControllerIdentity(bridge()).redeem(bridge(), { code, product_id: null });
      expect(claimed).toMatchObject({ device_id: deviceId, product_id: 'virtual' });
      const { ticket } = await issueTicket(bridge(), client, { site_id });
      const rejected = await new ControllerIdentity(bridge()).tryRedeem(bridge(), { ticket, product_id: null });
      expect(rejected).toMatchObject({ status: 400, body: { args: { field: 'product_id' } } });
    });

    it('issues a server certificate to gateways only, also at renewal', async () => {
      const { client, controller, siteId } = await ControllerSite.open(bridge());
      const gateway = await claimController(bridge(), client, siteId, { product_id: 'gateway', gadgets: [] });
      const usagesOf = (pem: string): string[] => new X509Certificate(pem).keyUsage;
      const [clients, servers] = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1'];
      expect(usagesOf(controller.claimed.certificate)).toEqual([clients]);
      expect(usagesOf(gateway.claimed.certificate)).toEqual([clients, servers]);
      expect(usagesOf((await renew(bridge(), controller)).body.certificate)).toEqual([clients]);
      expect(usagesOf((await renew(bridge(), gateway)).body.certificate)).toEqual([clients, servers]);
    });

    it('rejects an unknown, expired, revoked or tampered ticket with the field only', async () => {
      const client = await bridge().newOrganization();
      const site_id = await createTestSite(bridge(), client);
      const { ticket, code, id } = await issueTicket(bridge(), client, { site_id });
      const identity = new ControllerIdentity(bridge());
      const rejection = async (given: object) => {
        const { status, body } = await identity.tryRedeem(bridge(), given);
        return `${status} ${(body['args'] as { field: string }).field}`;
      };
      expect(await rejection({ ticket: `${ticket.slice(0, -4)}AAAA` })).toBe('400 ticket');
      expect(await rejection({ code: '0000-0000-0000' })).toBe('400 code');
      expect(await rejection({ code: 'x' })).toBe('400 code');
      expect(
        await rejection({
          ticket,
          csr: certificateRequest(identity.key, 'x', generateKeyPairSync('ed25519').privateKey),
        }),
      ).toBe('400 csr');
      expect(await rejection({ ticket, csr: 'nonsense' })).toBe('400 csr');
      expect(await rejection({ ticket, product_id: 'no-such-product' })).toBe('400 product_id');
      expect(await rejection({ ticket, code })).toBe('400 code');
      const { storage } = bridge().services;
      await storage.writer.updateTable('claim_tickets').set({ revoked_at: 1 }).where('id', '=', id).execute();
      expect(await rejection({ ticket })).toBe('400 ticket');
      const late = await issueTicket(bridge(), client, { site_id });
      bridge().advanceSeconds(3601);
      expect(await rejection({ ticket: late.ticket })).toBe('400 ticket');
    });

    it('keeps digest keys readable after a rotation of the master key', async () => {
      const site = await ControllerSite.open(bridge());
      const id = await site.createMember([site.groupId], '2468');
      expect(await runLintel('keys', 'rotate', ...dataLocation(bridge()))).toMatchObject({ code: 0 });
      await site.controller.start(site.url);
      expect(site.cachedMember(id)?.pins[0]?.digest).toBe(site.controller.identity.digest('pin', '2468'));
      await site.controller.stop();
    });
  });

  describe('POST /claim/v1/renew', () => {
    it('issues a new certificate that replaces the old one at its first use', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const { controller, url } = site;
      const { status, body } = await renew(bridge(), controller);
      expect(status).toBe(200);
      expect(body.serial).not.toBe(controller.claimed.serial);
      expect((await renew(bridge(), controller)).body.serial).toBe(body.serial);
      const id = await site.createMember();
      await site.waitUntilMemberCached(id);
      await controller.stop();
      // Until the bridge has closed the old session, it addresses messages to the old certificate.
      await expect.poll(() => site.isOnline(controller.deviceId)).toBe(false);
      controller.claimed = { ...controller.claimed, serial: body.serial };
      controller.windows = { ...controller.windows, down: { highest: 0, missing: [] } };
      await controller.start(url);
      await site.waitUntilMemberCached(await site.createMember());
      expect(controller.rejections).toEqual([]);
      await controller.stop();
    });

    it('rejects a renewal that the key of the certificate has not signed', async () => {
      const { controller } = await ControllerSite.open(bridge());
      const signature = Buffer.alloc(64).toString('base64url');
      expect((await renew(bridge(), controller, { signature })).status).toBe(403);
      expect((await renew(bridge(), controller, { digest_key: controller.identity.digestKey })).status).toBe(403);
      expect((await renew(bridge(), controller, { serial: 'ff' })).status).toBe(403);
    });

    it('digests PINs with a new digest key after the controller sends it', async () => {
      const site = await ControllerSite.openConnected(bridge());
      const { controller, url } = site;
      const id = await site.createMember([site.groupId], '7531');
      await site.waitUntilMemberCached(id);
      await controller.stop();
      const { device_id, serial } = controller.claimed;
      const digest_key = { id: 'k2', key: Buffer.alloc(32, 7).toString('base64url') };
      const csr = certificateRequest(controller.identity.key);
      const content = { device_id, serial, csr, digest_key };
      const signature = Buffer.from(controller.identity.sign(encodeCertificateRenewalSigningBytes(content))).toString(
        'base64url',
      );
      expect((await renew(bridge(), controller, { ...content, signature })).status).toBe(200);
      controller.identity.digestKey = digest_key;
      await controller.start(url);
      await controller.waitUntil(
        () => site.cachedMember(id)?.pins[0]?.digest === controller.identity.digest('pin', '7531'),
        'the PIN under the new digest key',
      );
      await controller.stop();
    });
  });

  describe('broker login of a claimed controller', () => {
    it('lets only the holder of the key connect as the controller', async () => {
      const site = await ControllerSite.open(bridge());
      const { client, controller, url, siteId } = site;
      const other = await claimController(bridge(), client, siteId);
      expect(await canConnect(controller, url)).toBe(true);
      await controller.stop();
      const impostor = new TestController(bridge(), other.identity, controller.claimed);
      expect(await canConnect(impostor, url)).toBe(false);
      const borrowed = { ...controller.claimed, device_id: other.deviceId };
      expect(await canConnect(new TestController(bridge(), controller.identity, borrowed), url)).toBe(false);
      const login = {
        username: controller.deviceId,
        password: controller.identity.password(controller.claimed, bridge().now),
      };
      await expect(connectAsync(url, { ...login, clientId: other.deviceId, reconnectPeriod: 0 })).rejects.toThrow();
      await expect(connectAsync(url, { clientId: controller.deviceId, reconnectPeriod: 0 })).rejects.toThrow();
      bridge().advanceSeconds(301);
      await expect(
        connectAsync(url, { ...login, clientId: controller.deviceId, reconnectPeriod: 0 }),
      ).rejects.toThrow();
    });

    it('disconnects a controller and refuses its certificate when its device is deleted or its hardware replaced', async () => {
      for (const end of ['delete', 'replace'] as const) {
        const { client, controller, url } = await ControllerSite.openConnected(bridge());
        const closed = new Promise<void>(resolve => {
          controller.mqtt.once('close', () => resolve());
        });
        const path = `/devices/${controller.deviceId}`;
        if (end === 'delete') await callAsOwner(bridge(), client, 'DELETE', path);
        else {
          const hardware_id = await insertClaimedHardware(bridge().services, client.organizationId);
          await callAsOwner(bridge(), client, 'POST', `${path}/replace`, { hardware_id });
        }
        await closed;
        expect([end, await canConnect(controller, url)]).toEqual([end, false]);
        expect((await renew(bridge(), controller)).status).toBe(403);
      }
    });

    it('requires a client certificate of its own authority', async () => {
      const { controller } = await ControllerSite.open(bridge());
      const { devices } = bridge();
      const authority = await devices.authority();
      const identity = await authority.issueServerCertificate(['localhost', '127.0.0.1'], bridge().now);
      const port = await devices.broker!.listenTls('127.0.0.1', 0, identity, authority.certificate);
      const url = `mqtts://127.0.0.1:${port}`;
      const { certificate, ca_certificate: ca } = controller.claimed;
      const key = controller.identity.key.export({ format: 'pem', type: 'pkcs8' });
      await controller.connect(url, { ca, cert: certificate, key });
      await controller.hello();
      await controller.waitUntil(() => controller.snapshot !== null, 'a snapshot');
      await controller.stop();
      const server = { cert: identity.certificate, key: identity.key };
      expect(await isAccepted(url, { ca, clientId: controller.deviceId })).toBe(false);
      expect(await isAccepted(url, { ca, ...server, clientId: controller.deviceId })).toBe(false);
    });
  });
});
