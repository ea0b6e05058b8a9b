import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { instant } from '@lintel/access-core/instant';
import { generateReleasePrivateKey, createReleaseSigner } from '@lintel/updates/release-files/release-keys';
import { writeRelease } from '@lintel/updates/release-files/write-release';
import type { UpdateMqttMessage } from '@lintel/wire-protocol/mqtt/messages/update';
import type { UpdateReportMqttMessage } from '@lintel/wire-protocol/mqtt/messages/update-report';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type AdminClient, openAdminSession, adminWithScriptToken } from '../support/bridge/admin-client.ts';
import type { TestBridge } from '../support/bridge/test-bridge.ts';
import { claimController, ControllerSite } from '../support/devices/controller-site.ts';
import { describeOnBothDatabases } from '../support/bridge/describe-on-both-databases.ts';
import { claimGateway, removeGatewayData, startGateway } from '../support/devices/claim-and-start-gateway.ts';
import type { TestController } from '../support/devices/test-controller.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-updates-admin-'));
const signer = createReleaseSigner(generateReleasePrivateKey());
mkdirSync(join(folder, 'keys'));
writeFileSync(join(folder, 'keys/a.pub'), signer.publicPem);
afterAll(() => rmSync(folder, { recursive: true }));

const archive = async (
  version: string,
  program: 'controller' | 'gateway' = 'controller',
  data = Buffer.alloc(0),
): Promise<Buffer> => {
  const file = join(folder, `${program}-${version}.release`);
  rmSync(file, { force: true });
  const files = [
    { path: 'start', isExecutable: true, read: () => Buffer.from(`#!/bin/sh\n# ${version}\n`) },
    ...(data.length === 0 ? [] : [{ path: 'data', isExecutable: false, read: () => data }]),
  ];
  const plan = { program, version, arch: 'all', entry: 'start', minimum_version: null } as const;
  await writeRelease({ ...plan, allow_downgrade: false, createdAt: instant(0), files }, signer, file);
  return readFileSync(file);
};

const LIMITS = { releaseBytes: 2 ** 20, bytes: 2 ** 20, uploads: 2, bridgeBytes: 2 ** 30, lifetimeMs: 86_400_000 };

interface Device {
  readonly device_id: string;
  readonly state: string;
  readonly reason: string | null;
}
type Rollout = {
  readonly id: string;
  readonly state: string;
  readonly stage: number;
  readonly devices: readonly Device[];
};

describeOnBothDatabases(
  'Releases and roll-outs',
  bridge => {
    let site: ControllerSite;
    let admin: AdminClient;
    let releaseId: string;
    beforeEach(async () => {
      site = await ControllerSite.openConnected(bridge());
      admin = await adminWithScriptToken(bridge(), site.client.organizationId, 'full_read_write');
      releaseId = (await upload(bridge(), admin, await archive('1.1.0'))).id;
    });

    const rollout = async (body: object): Promise<Rollout> =>
      (await admin.callOk('POST', '/rollouts', { release_id: releaseId, ...body })) as unknown as Rollout;
    const read = async (id: string): Promise<Rollout> =>
      (await admin.callOk('GET', `/rollouts/${id}`)) as unknown as Rollout;
    const stateOf = async (id: string, { deviceId }: TestController): Promise<string | undefined> =>
      (await read(id)).devices.find(({ device_id }) => device_id === deviceId)?.state;
    const reports = async (
      controller: TestController,
      order: UpdateMqttMessage,
      change: Partial<UpdateReportMqttMessage>,
    ): Promise<void> => {
      const report = { v: 1, rollout_id: order.rollout_id, percent: null, running: '1.0.0', reason: null } as const;
      await controller.send('update-report', { ...report, state: 'downloading', ...change });
      await bridge().devices.whenIdle();
    };
    const send = (
      method: 'POST' | 'PUT',
      path: string,
      payload: Buffer = Buffer.alloc(0),
      type = payload.length === 0 ? 'application/json' : 'application/octet-stream',
    ) =>
      bridge().app.inject({
        method,
        url: `/admin/v1/organizations/${admin.organizationId}${path}`,
        headers: { ...admin.headers, 'content-type': type },
        payload,
      });
    const ordered = async (controller: TestController, action = 'install'): Promise<UpdateMqttMessage> => {
      const isThere = (): boolean => controller.messagesOf('update').some(order => order.action === action);
      await controller.waitUntil(isThere, `an order to ${action}`);
      return controller.messagesOf('update').findLast(order => order.action === action)!;
    };

    it('stores a release under its digest, lists and deletes it', async () => {
      const again = await upload(bridge(), admin, await archive('1.1.0'));
      expect(again.id).toBe(releaseId);
      expect((await admin.callOk('GET', '/releases')).data.map(({ id }) => id)).toEqual([releaseId]);
      expect(await admin.callOk('GET', `/releases/${releaseId}`)).toMatchObject({ version: '1.1.0', arch: 'all' });
      expect(await admin.callOk('DELETE', `/releases/${releaseId}`)).toMatchObject({ is_deleted: true });
      expect((await admin.call('POST', '/rollouts', { release_id: releaseId, all: true })).status).toBe(400);
      expect((await admin.call('DELETE', `/releases/${releaseId}`)).status).toBe(404);
    });

    it('accepts an archive in parts, and rejects a damaged one', async () => {
      const bytes = await archive('1.6.0');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const half = Math.floor(bytes.length / 2);
      const part = (from: number, to: number) =>
        send('PUT', `/release_uploads/${sha256}?offset=${from}`, bytes.subarray(from, to));
      expect((await part(0, half)).json()).toEqual({ sha256, received: half });
      expect((await part(5, half)).statusCode).toBe(400);
      expect((await part(half, bytes.length)).json()).toEqual({ sha256, received: bytes.length });
      const release = await send('POST', `/releases?upload=${sha256}`);
      expect([release.statusCode, release.json()]).toMatchObject([200, { version: '1.6.0', sha256 }]);
      const damaged = Buffer.from(bytes);
      damaged[damaged.length - 1500]! ^= 1;
      const rejected = await send('POST', '/releases', damaged);
      expect([rejected.statusCode, rejected.json()]).toMatchObject([
        400,
        { type: 'invalid_request', args: { reason: 'damaged' } },
      ]);
    });

    it('limits the unfinished uploads of an organization and deletes them after a day', async () => {
      const digest = (index: number): string => String(index).repeat(64);
      const put = async (index: number, size: number, offset = 0) =>
        (await send('PUT', `/release_uploads/${digest(index)}?offset=${offset}`, Buffer.alloc(size))).statusCode;
      expect([await put(1, 1000), await put(2, 1000), await put(2, 1000)]).toEqual([200, 200, 200]);
      const third = await send('PUT', `/release_uploads/${digest(3)}`, Buffer.alloc(10));
      expect([third.statusCode, third.json().type, third.headers['retry-after']]).toEqual([
        429,
        'rate_limited',
        '86400',
      ]);
      expect((await send('POST', '/releases', Buffer.alloc(10))).statusCode).toBe(429);
      expect(await put(2, LIMITS.bytes - 1999, 1000)).toBe(413);
      expect((await send('POST', `/releases?upload=${digest(1)}`)).statusCode).toBe(400);
      expect(await put(3, 10)).toBe(200);
      expect(await put(4, 10)).toBe(429);
      const other = await adminWithScriptToken(
        bridge(),
        (await bridge().newOrganization()).organizationId,
        'full_read_write',
      );
      expect((await upload(bridge(), other, await archive('1.7.0'))).id).toMatch(/^rel_/);
      bridge().advanceSeconds(86_401);
      admin = await adminWithScriptToken(bridge(), site.client.organizationId, 'full_read_write');
      expect([await put(4, 10), await put(5, 10)]).toEqual([200, 200]);
    });

    it('rejects a body that is not an archive', async () => {
      expect((await send('POST', '/releases', Buffer.from('{}'), 'application/json')).statusCode).toBe(415);
    });

    it('sends a controller one signed order and follows its progress', async () => {
      const { controller } = site;
      const { id } = await rollout({ device_ids: [controller.deviceId] });
      const order = await ordered(controller);
      expect(order).toMatchObject({ rollout_id: id, release: { version: '1.1.0' } });
      await expect.poll(() => stateOf(id, controller)).toBe('told');
      for (const state of ['downloading', 'ready', 'switched', 'confirmed'] as const) {
        await reports(controller, order, { state, ...(state === 'confirmed' ? { running: '1.1.0' } : {}) });
        expect(await stateOf(id, controller)).toBe(state);
      }
      await expect.poll(async () => (await read(id)).state).toBe('done');
      await reports(controller, order, { state: 'downloading' });
      expect(await stateOf(id, controller)).toBe('confirmed');
      expect(controller.messagesOf('update').filter(({ action }) => action === 'install')).toHaveLength(1);
    });

    it('serves the archive, also in ranges, to the ordered controller only', async () => {
      const { controller } = site;
      await rollout({ device_ids: [controller.deviceId] });
      const order = await ordered(controller);
      const bytes = await archive('1.1.0');
      const get = (headers: Record<string, string>, path = order.path) => bridge().app.inject({ url: path, headers });
      const authorization = `Bearer ${order.token}`;
      const whole = await get({ authorization });
      expect([whole.statusCode, whole.rawPayload.equals(bytes)]).toEqual([200, true]);
      const rest = await get({ authorization, range: `bytes=100-${bytes.length + 50}` });
      expect([rest.statusCode, rest.rawPayload.equals(bytes.subarray(100))]).toEqual([206, true]);
      expect(rest.headers['content-range']).toBe(`bytes 100-${bytes.length - 1}/${bytes.length}`);
      for (const range of ['bytes=99999999-', 'bytes=-5', 'bytes=5-1', 'lines=1-2'])
        expect([range, (await get({ authorization, range })).statusCode]).toEqual([range, 400]);
      for (const wrong of ['', 'Bearer x', `Bearer ${order.token.slice(1)}A`, admin.headers['authorization']!])
        expect((await get({ authorization: wrong })).statusCode).toBe(401);
      const other = order.path.replace(controller.deviceId, 'dev_other');
      expect((await get({ authorization }, other)).statusCode).toBe(401);
      await reports(controller, order, { state: 'confirmed' });
      expect((await get({ authorization })).statusCode).toBe(404);
    });

    it('limits the concurrent downloads of a device, so that one device does not take those of others', async () => {
      const { controller } = site;
      // Larger than the buffers of a download, which stays open until the client reads.
      const release = await upload(bridge(), admin, await archive('1.8.0', 'controller', randomBytes(300_000)));
      await rollout({ release_id: release.id, device_ids: [controller.deviceId] });
      const { path, token } = await ordered(controller);
      const download = () =>
        bridge().app.inject({ url: path, headers: { authorization: `Bearer ${token}` }, payloadAsStream: true });
      const downloads = await Promise.all([download(), download(), download()]);
      expect(downloads.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
      const fourth = await download();
      expect([fourth.statusCode, fourth.headers['retry-after']]).toEqual([429, '10']);
      for (const { stream } of downloads) await buffer(stream());
      await expect.poll(async () => (await download()).statusCode).toBe(200);
    });

    it('proceeds by stages, halts after a failure and resumes on request', { tags: ['slow'] }, async () => {
      const { controller: first } = site;
      const second = await claimController(bridge(), site.client, site.siteId, { name: 'Back' });
      await second.start(site.url);
      const { id } = await rollout({ all: true, stages: [{ count: 1, wait_s: 0 }] });
      const [early, late] = first.deviceId < second.deviceId ? [first, second] : [second, first];
      const order = await ordered(early);
      expect(late.messagesOf('update')).toEqual([]);
      await reports(early, order, { state: 'rolled_back', reason: 'fault: event_store' });
      await expect.poll(async () => (await read(id)).state).toBe('halted');
      expect(late.messagesOf('update')).toEqual([]);
      expect((await admin.call('POST', `/rollouts/${id}/pause`, {})).status).toBe(400);
      await admin.callOk('POST', `/rollouts/${id}/resume`, {});
      await reports(late, await ordered(late), { state: 'confirmed', running: '1.1.0' });
      await expect.poll(async () => (await read(id)).state).toBe('done');
      await second.stop();
    });

    it('leaves orders in place on pause, and cancels those that have not switched on cancel', async () => {
      const { controller } = site;
      const { id } = await rollout({ site_id: site.siteId });
      const order = await ordered(controller);
      await reports(controller, order, { state: 'ready' });
      expect(await admin.callOk('POST', `/rollouts/${id}/pause`, {})).toMatchObject({ state: 'paused' });
      expect(controller.messagesOf('update').some(({ action }) => action === 'cancel')).toBe(false);
      expect(await admin.callOk('POST', `/rollouts/${id}/cancel`, {})).toMatchObject({ state: 'cancelled' });
      expect(await ordered(controller, 'cancel')).toMatchObject({ rollout_id: id });
      expect(await stateOf(id, controller)).toBe('cancelled');
      const late = await admin.call('POST', `/rollouts/${id}/resume`, {});
      expect([late.status, JSON.stringify(late.body)]).toEqual([
        400,
        expect.stringContaining('was cancelled and cannot be resumed'),
      ]);
    });

    it('repeats the order to a controller that reconnects', async () => {
      const { controller } = site;
      await rollout({ device_ids: [controller.deviceId] });
      await reports(controller, await ordered(controller), { state: 'downloading', percent: 40 });
      await controller.stop();
      await controller.connect(site.url);
      const again = controller.next('update');
      await controller.hello();
      expect(await again).toMatchObject({ action: 'install' });
    });

    it('orders a gateway release from gateways only', async () => {
      const dataDir = await claimGateway(bridge(), site.client, site.siteId);
      const gateway = await startGateway(bridge(), dataDir, site.url);
      try {
        const gatewayId = gateway.deviceId()!;
        const release_id = (await upload(bridge(), admin, await archive('1.1.0', 'gateway'))).id;
        const { deviceId } = site.controller;
        for (const [device, release, words] of [
          [
            deviceId,
            release_id,
            `The field 'device_ids.0' refers to the device ${deviceId}, which is a controller. The release is for a gateway.`,
          ],
          [
            gatewayId,
            releaseId,
            `The field 'device_ids.0' refers to the device ${gatewayId}, which is a gateway. The release is for a controller.`,
          ],
        ] as const) {
          const wrong = await admin.call('POST', '/rollouts', { release_id: release, device_ids: [device] });
          expect([wrong.status, wrong.body['message']]).toEqual([400, words]);
        }
        const controllers = await rollout({ all: true });
        expect(controllers.devices.map(({ device_id }) => device_id)).toEqual([deviceId]);
        const { id, ...created } = await rollout({ release_id, all: true });
        expect(created).toMatchObject({ program: 'gateway', devices: [{ device_id: gatewayId, state: 'waiting' }] });
        // Without a launcher the gateway cannot restart, and reports that.
        const devices = async () => (await read(id)).devices;
        await expect
          .poll(devices)
          .toMatchObject([{ state: 'failed', reason: expect.stringMatching(/^not_ordered: .*launcher/) }]);
      } finally {
        await gateway.stop();
        removeGatewayData(dataDir);
      }
    });

    it('rejects an invalid request with the name of the field', async () => {
      const { deviceId } = site.controller;
      await rollout({ device_ids: [deviceId] });
      for (const [body, field] of [
        [{ release_id: 'rel_nothing', all: true }, 'release_id'],
        [{ release_id: releaseId }, 'device_ids'],
        [{ release_id: releaseId, all: true, site_id: site.siteId }, 'all'],
        [{ release_id: releaseId, device_ids: [deviceId, 'dev_nothing'] }, 'device_ids.1'],
        [{ release_id: releaseId, all: true }, 'device_ids'],
        [{ release_id: releaseId, all: true, stages: [{ wait_s: 1 }] }, 'stages.0.percent'],
        [{ release_id: releaseId, all: true, stages: [{ percent: 101 }] }, 'stages.0.percent'],
        [{ release_id: releaseId, all: true, stages: [{ percent: 50 }, { percent: 20 }] }, 'stages.1.percent'],
        [
          { release_id: releaseId, all: true, stages: [{ percent: 5 }, { count: 1 }, { percent: 5 }] },
          'stages.2.percent',
        ],
        [{ release_id: releaseId, all: true, x: 1 }, 'x'],
      ] as const) {
        const { status, body: answer } = await admin.call('POST', '/rollouts', body);
        expect([status, (answer['args'] as { field: string }).field]).toEqual([400, field]);
      }
    });

    it('requires an administrator to change, and a viewer to read', async () => {
      const { organizationId } = site.client;
      const viewer = await openAdminSession(bridge(), organizationId, 'viewer');
      const technician = await openAdminSession(bridge(), organizationId, 'technician', [site.siteId]);
      const body = { release_id: releaseId, all: true };
      expect([(await viewer.get('/releases')).status, (await viewer.call('POST', '/rollouts', body)).status]).toEqual([
        200, 403,
      ]);
      expect((await technician.get('/rollouts')).status).toBe(403);
      const other = await bridge().newOrganization();
      const stranger = await adminWithScriptToken(bridge(), other.organizationId, 'full_read_write');
      expect((await stranger.get(`/releases/${releaseId}`)).status).toBe(404);
      const broken = await bridge().app.inject({
        method: 'POST',
        url: `/admin/v1/organizations/${organizationId}/releases`,
        headers: { ...admin.headers, 'content-type': 'application/octet-stream' },
        payload: (await archive('1.2.0')).subarray(0, 3000),
      });
      expect([broken.statusCode, broken.json()]).toMatchObject([400, { args: { reason: 'truncated' } }]);
    });
  },
  { releaseKeys: join(folder, 'keys'), uploadLimits: LIMITS },
  ['slow'],
);

const upload = async (bridge: TestBridge, admin: AdminClient, payload: Buffer): Promise<{ readonly id: string }> => {
  const answer = await bridge.app.inject({
    method: 'POST',
    url: `/admin/v1/organizations/${admin.organizationId}/releases`,
    headers: { ...admin.headers, 'content-type': 'application/octet-stream' },
    payload,
  });
  if (answer.statusCode !== 200) throw new Error(answer.payload);
  return answer.json<{ id: string }>();
};
