import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { generateReleasePrivateKey, createReleaseSigner } from '@lintel/updates/release-files/release-keys';
import { writeRelease } from '@lintel/updates/release-files/write-release';
import { fetchRelease, type FetchReleaseOptions } from '@lintel/updates/testing';
import { ReleasesFolder } from '@lintel/updates/releases-folder';
import type { UpdateMqttMessage } from '@lintel/wire-protocol/mqtt/messages/update';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AdminClient, adminWithScriptToken } from '../support/bridge/admin-client.ts';
import { claimController } from '../support/devices/controller-site.ts';
import { createTestSite } from '../support/bridge/site-fixtures.ts';
import type { TestController } from '../support/devices/test-controller.ts';
import type { TestOrganizationClient } from '../support/bridge/test-bridge.ts';
import { TlsBridge } from '../support/bridge/tls-bridge.ts';

const NOW = instant(Date.parse('2026-06-01T10:00:00Z'));

let folder: string;
let tls: TlsBridge;
let bytes: Buffer;
let releaseId: string;
let client: TestOrganizationClient;
let admin: AdminClient;

let controller: TestController;
let order: UpdateMqttMessage;
let files: ReleasesFolder;
let logged: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-download-'));
  tls = await TlsBridge.open(NOW);
  const { bridge } = tls;
  const signer = createReleaseSigner(generateReleasePrivateKey());
  mkdirSync(join(bridge.dataDir, 'release-keys'));
  writeFileSync(join(bridge.dataDir, 'release-keys/a.pub'), signer.publicPem);
  const content = randomBytes(300_000);
  const payload = [{ path: 'start', isExecutable: true, read: () => content }];
  const plan = { program: 'controller', version: '1.1.0', arch: 'all', entry: 'start', minimum_version: null } as const;
  const file = join(folder, 'a.release');
  await writeRelease({ ...plan, allow_downgrade: false, createdAt: NOW, files: payload }, signer, file);
  bytes = readFileSync(file);
  client = await bridge.newOrganization();
  admin = await adminWithScriptToken(bridge, client.organizationId, 'full_read_write');
  const answer = await bridge.app.inject({
    method: 'POST',
    url: `/admin/v1/organizations/${client.organizationId}/releases`,
    headers: { ...admin.headers, 'content-type': 'application/octet-stream' },
    payload: bytes,
  });
  releaseId = answer.json<{ id: string }>().id;
});
afterAll(async () => {
  await tls.close();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  files = new ReleasesFolder(mkdtempSync(join(folder, 'releases-')));
  logged = [];
  controller = await claimController(tls.bridge, client, await createTestSite(tls.bridge, client));
  await controller.start(tls.mqtt);
  await admin.callOk('POST', '/rollouts', { release_id: releaseId, device_ids: [controller.deviceId] });
  await controller.waitUntil(() => controller.messagesOf('update').length > 0, 'the order');
  order = controller.messagesOf('update')[0]!;
});
afterEach(() => controller.stop());

type Source = Pick<NonNullable<ReturnType<FetchReleaseOptions['source']>>, 'bridgeUrl'> & {
  readonly fingerprint?: string | null;
  readonly proxies?: readonly string[];
};

/** Uses each source once, in order, and then only the last one. */
const download = (sources: readonly Source[], signal = new AbortController().signal): Promise<string> => {
  const left = [...sources];
  const { path, token, rate, release } = order;
  return fetchRelease({
    ...release,
    files,
    signal,
    log: (_, message, facts) => logged.push(`${message} ${JSON.stringify(facts)}`),
    onPercent: () => undefined,
    source: () => {
      const { bridgeUrl, fingerprint = tls.fingerprint, proxies = [] } = left.length > 1 ? left.shift()! : left[0]!;
      const trust = { fingerprint, authority: null, bySystem: false };
      return { bridgeUrl, path, token, rate, httpOptions: { trust, now: NOW, proxies, signal } };
    },
  });
};
const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

describe('fetchRelease', () => {
  it('downloads only the missing part, from a bridge with the known certificate', async () => {
    writeFileSync(join(files.incoming, `${order.release.sha256}.part`), bytes.subarray(0, 250_000));
    const archive = await download([{ bridgeUrl: 'https://127.0.0.1:1' }, { bridgeUrl: tls.url }]);
    expect(digestOf(archive)).toBe(order.release.sha256);
    expect(logged).toEqual([expect.stringContaining('"have":250000')]);
  });

  it('does not send the token to a server with another certificate', async () => {
    const before = tls.requests;
    const stop = new AbortController();
    const downloading = download([{ bridgeUrl: tls.url, fingerprint: 'AA:'.repeat(31) + 'AA' }], stop.signal);
    await expect.poll(() => logged.length).toBeGreaterThan(0);
    stop.abort();
    await expect(downloading).rejects.toThrow();
    expect([tls.requests - before, logged[0]]).toEqual([0, expect.stringContaining('not trusted')]);
  });

  it('uses the tunnel of a gateway when the bridge is out of direct reach', async () => {
    const { port } = new URL(tls.url);
    let tunnels = 0;
    const proxy = createServer();
    proxy.on('connect', (_, near) => {
      tunnels++;
      const far = connect(Number(port), '127.0.0.1', () => {
        near.write('HTTP/1.1 200 OK\r\n\r\n');
        near.pipe(far).pipe(near);
      });
      far.on('error', () => near.destroy());
      near.on('error', () => far.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const proxies = [`http://127.0.0.1:${(proxy.address() as { port: number }).port}`];
    // Nothing listens on this address of the machine.
    const archive = await download([{ bridgeUrl: `https://127.0.0.2:${port}`, fingerprint: null, proxies }]);
    expect([digestOf(archive), tunnels]).toEqual([order.release.sha256, 1]);
    proxy.closeAllConnections();
    proxy.close();
  });

  it('fails when the bridge does not offer the release any more', { tags: ['slow'] }, async () => {
    await controller.send('update-report', {
      v: 1,
      rollout_id: order.rollout_id,
      state: 'confirmed',
      percent: 100,
      running: '1.1.0',
      reason: null,
    });
    await tls.bridge.devices.whenIdle();
    await expect(download([{ bridgeUrl: tls.url }])).rejects.toMatchObject({ code: 'not_ordered' });
  });
});
