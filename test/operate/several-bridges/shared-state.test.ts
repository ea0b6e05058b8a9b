import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { createReleaseSigner, generateReleasePrivateKey } from '@lintel/updates/release-files/release-keys';
import { writeRelease } from '@lintel/updates/release-files/write-release';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createReleaseDownloadToken,
  createSharedAttemptThrottle,
  RateLimiter,
  RequestCountExchange,
} from '@lintel/cloud-bridge/testing';
import { isPresent, requireProgram } from '../../support/require-program.ts';
import { adminWithScriptToken, adminWithToken } from '../../support/bridge/admin-client.ts';
import { EventStreamClient } from '../../support/bridge/event-stream-client.ts';
import { newTestDatabase } from '../../support/bridge/postgres.ts';
import { createTestSite } from '../../support/bridge/site-fixtures.ts';
import { type TestOrganizationClient, TestBridge } from '../../support/bridge/test-bridge.ts';
import { WebhookTestServer } from '../../support/bridge/webhook-test-server.ts';
import { claimController } from '../../support/devices/controller-site.ts';
import type { TestController } from '../../support/devices/test-controller.ts';
import { type MosquittoProcess, mosquitto, startMosquitto } from '../../support/processes/mosquitto.ts';

describe('two bridges that share only database, broker and secret', { tags: ['slow'] }, () => {
  let folder: string;
  let broker: MosquittoProcess;
  let bridges: [TestBridge, TestBridge];
  let clients: [TestOrganizationClient, TestOrganizationClient];
  const signer = createReleaseSigner(generateReleasePrivateKey());

  beforeAll(async () => {
    if (!isPresent(mosquitto)) return;
    folder = mkdtempSync(join(tmpdir(), 'lintel-two-bridges-'));
    mkdirSync(join(folder, 'keys'));
    writeFileSync(join(folder, 'keys/a.pub'), signer.publicPem);
    broker = await startMosquitto();
    const database = await newTestDatabase();
    const open = () =>
      TestBridge.open({
        database,
        clusterSecret: 'a-secret-that-only-this-test-knows',
        mqttUrl: broker.url,
        releaseKeys: join(folder, 'keys'),
        webhookAllow: ['127.0.0.0/8'],
        isTicking: true,
      });
    bridges = await Promise.all([open(), open()]);
    for (const bridge of bridges) await bridge.listen('127.0.0.1', 0);
    const client = await bridges[0].newOrganization();
    clients = [client, await bridges[1].client(client.organizationId, client.applicationId, 'full_read_write')];
  });

  afterAll(async () => {
    for (const bridge of bridges ?? []) await bridge.close();
    await broker?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const storageOf = (index: 0 | 1) => bridges[index].services.storage;

  it('count attempts to sign in together', async context => {
    requireProgram(context, mosquitto);
    const throttles = ([0, 1] as const).map(index => createSharedAttemptThrottle(storageOf(index), 'test', 4));
    const now = 1_000_000;
    const waits: number[] = [];
    for (let n = 0; n < 4; n++) waits.push(await throttles[n % 2]!.registerAttempt('eva', now));
    expect(waits).toEqual([0, 0, 0, 0]);
    expect(await throttles[0]!.registerAttempt('eva', now)).toBe(5000);
    expect(await throttles[1]!.registerAttempt('eva', now)).toBe(5000);
    await throttles[1]!.reset('eva');
    const concurrent = await Promise.all(
      Array.from({ length: 10 }, (_, n) => throttles[n % 2]!.registerAttempt('eva', now)),
    );
    expect(concurrent.filter(wait => wait === 0)).toHaveLength(4);
  });

  it('limit the requests of a client together, and keep its token out of the database', async context => {
    requireProgram(context, mosquitto);
    const limiters = [0, 1].map(() => new RateLimiter({ perSecond: 10, burst: 100 }, () => 0));
    const exchanges = limiters.map(
      (limiter, index) => new RequestCountExchange(storageOf(index as 0 | 1), limiter, () => 5_000_000),
    );
    const use = (index: number, requests: number): void => {
      for (let n = 0; n < requests; n++) limiters[index]!.take('a-token');
    };
    const exchange = async (): Promise<void> => {
      for (const one of exchanges) await one.exchange();
    };
    for (let second = 0; second < 3; second++) {
      use(0, 20);
      use(1, 20);
      await exchange();
    }
    expect(() => use(0, 20)).toThrow('Too many requests');
    const rows = await storageOf(0).reader.selectFrom('request_counts').select('key').execute();
    expect(rows.map(({ key }) => key)).not.toContain('a-token');
  });

  it('run an action once for concurrent requests with the same Idempotency-Key', async context => {
    requireProgram(context, mosquitto);
    const siteId = await createTestSite(bridges[0], clients[0]);
    const controller = await claimController(bridges[0], clients[0], siteId);
    await controller.start(broker.url);
    const gadget = (await clients[0].callOk('GET', `/gadgets?device_id=${controller.deviceId}`)).data[0]!;
    answerActions(controller);
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        bridges[n % 2]!.app.inject({
          method: 'POST',
          url: `/v2/gadgets/${gadget.id}/actions/open`,
          headers: { authorization: `Bearer ${clients[n % 2]!.token}`, 'idempotency-key': 'once' },
          payload: {},
        }),
      ),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(controller.messagesOf('action')).toHaveLength(1);
    await controller.stop();
  });

  it('let one of several simultaneous edits with the same ETag succeed', async context => {
    requireProgram(context, mosquitto);
    const { organizationId } = clients[0];
    const { id } = await clients[0].callOk('POST', '/member_groups', { name: 'Staff' });
    const admins = await Promise.all(bridges.map(bridge => adminWithToken(bridge, organizationId, 'full_read_write')));
    const url = `/organizations/${organizationId}/member_groups/${id}`;
    for (let round = 0; round < 5; round++) {
      const { headers } = await admins[round % 2]!.callRoot('GET', url);
      const ifMatch = { 'if-match': String(headers['etag']) };
      const responses = await Promise.all(
        Array.from({ length: 6 }, (_, n) => {
          const admin = admins[n % 2]!;
          return admin.callRoot('PATCH', url, { name: `${round}.${n}` }, { ...admin.headers, ...ifMatch });
        }),
      );
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412, 412, 412]);
    }
  });

  it('reach a controller whose last hello the other bridge received', async context => {
    requireProgram(context, mosquitto);
    const siteId = await createTestSite(bridges[0], clients[0]);
    const controller = await claimController(bridges[0], clients[0], siteId);
    const gadget = (await clients[0].callOk('GET', `/gadgets?device_id=${controller.deviceId}`)).data[0]!;
    for (let session = 0; session < 4; session++) {
      await controller.start(broker.url);
      const stopAnswering = answerActions(controller);
      for (const client of clients)
        expect((await client.call('POST', `/gadgets/${gadget.id}/actions/open`, {})).status).toBe(200);
      stopAnswering();
      await controller.stop();
    }
  });

  it('continue an event stream of the other bridge after the last event', async context => {
    requireProgram(context, mosquitto);
    const first = await EventStreamClient.open(bridges[0].bridge, '?object.type=member', clients[0].token);
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push((await clients[n % 2]!.callOk('POST', '/members', { name: `G${n}` })).id);
    expect(await first.members(4)).toEqual(ids);
    const second = await EventStreamClient.open(
      bridges[1].bridge,
      `?object.type=member&since=${first.events[1]!.id}`,
      clients[1].token,
    );
    ids.push((await clients[0].callOk('POST', '/members', { name: 'G4' })).id);
    expect(await second.members(3)).toEqual(ids.slice(2));
    await first.close();
    await second.close();
  });

  it('deliver each event to a webhook once', async context => {
    requireProgram(context, mosquitto);
    const server = await WebhookTestServer.open();
    await clients[0].callOk('POST', '/webhooks', {
      url: `${server.url}/hook`,
      filter: [{ object_type: 'member' }],
    });
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, n) => clients[n % 2]!.callOk('POST', '/members', { name: `W${n}` })),
    );
    const deliveries = await server.received('/hook', created.length);
    expect(new Set(deliveries.map(({ event }) => event.id)).size).toBe(created.length);
    expect(deliveries).toHaveLength(created.length);
    await server.close();
  });

  it('accept the parts of a release and offer it to devices at both', async context => {
    requireProgram(context, mosquitto);
    const content = randomBytes(2_500_000);
    const files = [{ path: 'start', isExecutable: true, read: () => content }];
    const plan = {
      program: 'controller',
      version: '1.1.0',
      arch: 'all',
      entry: 'start',
      minimum_version: null,
    } as const;
    const file = join(folder, 'a.release');
    await writeRelease({ ...plan, allow_downgrade: false, createdAt: instant(0), files }, signer, file);
    const bytes = readFileSync(file);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { organizationId } = clients[0];
    const { headers } = await adminWithScriptToken(bridges[0], organizationId);
    const send = async (index: number, method: 'PUT' | 'POST', path: string, payload = Buffer.alloc(0)) => {
      const type = payload.length === 0 ? 'application/json' : 'application/octet-stream';
      const url = `/admin/v1/organizations/${organizationId}${path}`;
      const response = await bridges[index]!.app.inject({
        method,
        url,
        headers: { ...headers, 'content-type': type },
        payload,
      });
      expect([response.statusCode, response.statusCode === 200 ? '' : response.body]).toEqual([200, '']);
      return response.json<{ id: string }>();
    };
    const third = Math.floor(bytes.length / 3);
    for (const [part, [from, to]] of [
      [0, third],
      [third, 2 * third],
      [2 * third, bytes.length],
    ].entries())
      await send(part % 2, 'PUT', `/release_uploads/${sha256}?offset=${from}`, bytes.subarray(from, to));
    const release = await send(1, 'POST', `/releases?upload=${sha256}`);
    const siteId = await createTestSite(bridges[0], clients[0]);
    const { deviceId } = await claimController(bridges[0], clients[0], siteId);
    const created = await bridges[0].app.inject({
      method: 'POST',
      url: `/admin/v1/organizations/${organizationId}/rollouts`,
      headers,
      payload: { release_id: release.id, device_ids: [deviceId] },
    });
    const { id: rolloutId } = created.json<{ id: string }>();
    for (const bridge of bridges) {
      const token = createReleaseDownloadToken(bridge.services.masterKeys, { rolloutId, deviceId });
      const download = await bridge.app.inject({
        url: `/updates/v1/rollouts/${rolloutId}/devices/${deviceId}/release`,
        headers: { authorization: `Bearer ${token}` },
      });
      expect([download.statusCode, createHash('sha256').update(download.rawPayload).digest('hex')]).toEqual([
        200,
        sha256,
      ]);
    }
  });
});

/** Reports every action as done, from now on. */
const answerActions = (controller: TestController): (() => void) => {
  let isActive = true;
  let answered = controller.messagesOf('action').length;
  const answer = async (): Promise<void> => {
    while (isActive) {
      await controller.waitUntil(() => controller.messagesOf('action').length > answered, 'an action');
      const { request_id } = controller.messagesOf('action')[answered++]!;
      await controller.send('action-result', { v: 1, request_id, outcome: 'done', reason: null, event_id: null });
    }
  };
  void answer().catch(() => undefined);
  return () => {
    isActive = false;
  };
};
