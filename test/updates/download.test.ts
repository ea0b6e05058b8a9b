import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { newReleaseKey, signerOf } from '@lintel/device-link/releases/release-keys';
import { writeRelease } from '@lintel/device-link/releases/write-release';
import { type FetchParts, fetchRelease } from '@lintel/device-link/updates/fetch-release';
import { SlotFiles } from '@lintel/device-link/updates/slot-files';
import type { Update } from '@lintel/wire-protocol/mqtt/messages/update';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withToken } from '../support/bridge/administration.ts';
import { aController } from '../support/devices/device-hotel.ts';
import { aSite } from '../support/bridge/place.ts';
import type { TestController } from '../support/devices/test-controller.ts';
import { TlsBridge } from '../support/bridge/tls-bridge.ts';

const NOW = instant(Date.parse('2026-06-01T10:00:00Z'));

let folder: string;
let bridge: TlsBridge;
let controller: TestController;
let bytes: Buffer;
let order: Update;
let files: SlotFiles;
let logged: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-download-'));
  files = new SlotFiles(join(folder, 'releases'));
  logged = [];
  bridge = await TlsBridge.open(NOW);
  const { world } = bridge;
  const signer = signerOf(newReleaseKey());
  mkdirSync(join(world.dataDir, 'release-keys'));
  writeFileSync(join(world.dataDir, 'release-keys/a.pub'), signer.publicPem);
  const filling = Buffer.from(Array.from({ length: 300_000 }, () => Math.random() * 256));
  const payload = [{ path: 'start', isExecutable: true, read: () => filling }];
  const plan = { program: 'controller', version: '1.1.0', arch: 'all', entry: 'start', minimum_version: null } as const;
  const file = join(folder, 'a.release');
  await writeRelease({ ...plan, allow_downgrade: false, createdAt: NOW, files: payload }, signer, file);
  bytes = readFileSync(file);
  const client = await world.newOrganization();
  controller = await aController(world, client, await aSite(world, client));
  await controller.start(bridge.mqtt);
  const admin = await withToken(world, client.organizationId, 'full_read_write');
  const answer = await world.bridge.app.inject({
    method: 'POST',
    url: `/admin/v1/organizations/${client.organizationId}/releases`,
    headers: { ...admin.headers, 'content-type': 'application/octet-stream' },
    payload: bytes,
  });
  const body = { release_id: answer.json<{ id: string }>().id, device_ids: [controller.deviceId] };
  await admin.done('POST', '/rollouts', body);
  await controller.until(() => controller.of('update').length > 0, 'the order');
  order = controller.of('update')[0]!;
}, 60_000);
afterEach(async () => {
  await controller.stop();
  await bridge.close();
  rmSync(folder, { recursive: true });
});

type Way = Pick<NonNullable<ReturnType<FetchParts['source']>>, 'bridgeUrl'> & {
  readonly fingerprint?: string | null;
  readonly proxies?: readonly string[];
};

/** Tries the ways in turn, and the last one from then on. */
const fetched = (ways: readonly Way[], signal = new AbortController().signal): Promise<string> => {
  const left = [...ways];
  const { path, token, rate, release } = order;
  return fetchRelease({
    ...release,
    files,
    signal,
    log: (_, message, facts) => logged.push(`${message} ${JSON.stringify(facts)}`),
    onPercent: () => undefined,
    source: () => {
      const { bridgeUrl, fingerprint = bridge.fingerprint, proxies = [] } = left.length > 1 ? left.shift()! : left[0]!;
      const trust = { fingerprint, authority: null, bySystem: false };
      return { bridgeUrl, path, token, rate, terms: { trust, now: NOW, proxies, signal } };
    },
  });
};
const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

it('comes from the bridge that the controller knows, and only what is missing of it', async () => {
  writeFileSync(join(files.incoming, `${order.release.sha256}.part`), bytes.subarray(0, 250_000));
  const archive = await fetched([{ bridgeUrl: 'https://127.0.0.1:1' }, { bridgeUrl: bridge.url }]);
  expect(digestOf(archive)).toBe(order.release.sha256);
  expect(logged).toEqual([expect.stringContaining('"have":250000')]);
});

it('is not asked for where somebody else answers: the token stays here', async () => {
  const before = bridge.requests;
  const stop = new AbortController();
  const trying = fetched([{ bridgeUrl: bridge.url, fingerprint: 'AA:'.repeat(31) + 'AA' }], stop.signal);
  await expect.poll(() => logged.length, { timeout: 10_000 }).toBeGreaterThan(0);
  stop.abort();
  await expect(trying).rejects.toThrow();
  expect([bridge.requests - before, logged[0]]).toEqual([0, expect.stringContaining('not trusted')]);
});

it('comes through the tunnel of a gateway where there is no other way', async () => {
  const { port } = new URL(bridge.url);
  let tunnels = 0;
  const proxy = createServer();
  proxy.on('connect', (_, client) => {
    tunnels++;
    const far = connect(Number(port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(far).pipe(client);
    });
    far.on('error', () => client.destroy());
    client.on('error', () => far.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const proxies = [`http://127.0.0.1:${(proxy.address() as { port: number }).port}`];
  // Nobody listens on this address of the machine.
  const archive = await fetched([{ bridgeUrl: `https://127.0.0.2:${port}`, fingerprint: null, proxies }]);
  expect([digestOf(archive), tunnels]).toEqual([order.release.sha256, 1]);
  proxy.closeAllConnections();
  proxy.close();
});

it('is given up when the bridge does not offer it any more', async () => {
  await controller.say('update-report', {
    v: 1,
    rollout_id: order.rollout_id,
    state: 'confirmed',
    percent: 100,
    running: '1.1.0',
    reason: null,
  });
  await bridge.world.bridge.devices.idle();
  await expect(fetched([{ bridgeUrl: bridge.url }])).rejects.toMatchObject({ code: 'not_ordered' });
}, 60_000);
