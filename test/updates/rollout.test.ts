import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newReleaseKey, signerOf } from '@lintel/device-link/releases/release-keys';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LaunchedController } from '../support/processes/launched-controller.ts';
import { LaunchedGateway } from '../support/processes/launched-gateway.ts';
import type { LaunchedProgram } from '../support/processes/launched-program.ts';
import { type RunningBridge, runLintel, startBridge } from '../support/processes/lintel-command.ts';
import { type Behaviour, type Product, releaseFolder } from '../support/processes/release-folder.ts';

const profiles = join(import.meta.dirname, '../../hardware-profiles/profiles');
const profileOf = { controller: 'laptop-simulator.json', gateway: 'gateway.json' } as const;
const key = newReleaseKey();

interface Rollout {
  readonly id: string;
  readonly state: string;
  readonly stage: number;
  readonly progress: Readonly<Record<string, number>>;
  readonly devices: readonly {
    readonly device_id: string;
    readonly state: string;
    readonly reason: string | null;
    readonly running_version: string | null;
  }[];
}

let folder: string;
let bridge: RunningBridge;
let organization: string;
let site: string;
let authorization: string;
let launched: LaunchedProgram[];

const json = async <T>(...args: readonly string[]): Promise<T> => {
  const { code, stdout, stderr } = await runLintel(...args, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-rollout-'));
  launched = [];
  const keys = join(folder, 'keys');
  mkdirSync(keys);
  writeFileSync(join(folder, 'release.key'), key, { mode: 0o600 });
  writeFileSync(join(keys, 'a.pub'), signerOf(key).publicPem);
  const data = join(folder, 'bridge');
  bridge = await startBridge(data, '--host', '127.0.0.1', '--mqtts-port', '0', '--release-keys', keys);
  const seed = { organization: { key: 'org', name: 'Hotel' }, sites: [{ key: 'site', name: 'Main', timezone: 'UTC' }] };
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed));
  const { ids } = await json<{ ids: Record<string, string> }>('seed', join(folder, 'seed.json'), '--data', data);
  [organization, site] = [ids['org']!, ids['site']!];
  const scope = ['--data', data, '--organization', organization, '--scope', 'full_read_write'];
  authorization = `Bearer ${(await json<{ access_token: string }>('token', ...scope)).access_token}`;
}, 60_000);
afterEach(async () => {
  await Promise.all(launched.map(program => program.stop('SIGKILL')));
  await bridge.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const send = (
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  type = 'application/json',
): Promise<Response> =>
  fetch(`${bridge.ready['http']}/admin/v1/organizations/${organization}${path}`, {
    method,
    headers: { authorization, 'content-type': type },
    ...(body === undefined ? {} : { body }),
  });

const ask = async <T = { id: string }>(method: string, path: string, body?: object): Promise<T> => {
  const answer = await send(method, path, body === undefined ? undefined : JSON.stringify(body));
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
};

const made = async (
  version: string,
  behaviour: Behaviour = 'sound',
  product: Product = 'controller',
): Promise<string> => {
  const file = join(folder, `${product}-${version}.release`);
  const from = releaseFolder(join(folder, `${product}-${version}`), version, behaviour, product);
  const to = ['--key', join(folder, 'release.key'), '--out', file];
  const { code, stderr } = await runLintel('release', 'make', '--from', from, ...to);
  if (code !== 0) throw new Error(stderr);
  return file;
};

const uploaded = async (file: string): Promise<string> => {
  const answer = await send('POST', '/releases', readFileSync(file), 'application/octet-stream');
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { id: string }).id;
};

/** As the device of a ticket, for its launcher. */
const claimed = async (name: string, product: Product, trialSeconds: number) => {
  const dataDir = join(folder, name);
  const { code } = await ask<{ code: string }>('POST', '/claim_tickets', { site_id: site });
  const profile = ['--profile', join(profiles, profileOf[product])];
  const call = ['--data', dataDir, '--bridge', bridge.ready['http']!, '--code', code, ...profile];
  const { device_id } = await json<{ device_id: string }>('enroll', ...call);
  const options = {
    dataDir,
    releases: join(folder, `${name}-releases`),
    packageFolder: releaseFolder(join(folder, `${product}-package`), '1.0.0', 'sound', product),
    keys: join(folder, 'keys'),
    trialSeconds,
  };
  return { id: device_id, options };
};

/** A claimed controller, started by its launcher. */
const door = async (name: string, trialSeconds = 90) => {
  const { id, options } = await claimed(name, 'controller', trialSeconds);
  const controller = new LaunchedController(options).start();
  launched.push(controller);
  return { id, controller };
};

/** A claimed gateway, which has reached the bridge. */
const siteGateway = async (name: string, trialSeconds = 90) => {
  const { id, options } = await claimed(name, 'gateway', trialSeconds);
  const gateway = new LaunchedGateway(options).start();
  launched.push(gateway);
  const isOnline = async (): Promise<boolean> => {
    try {
      return (await gateway.status()).upstream.connected;
    } catch {
      return false;
    }
  };
  await expect.poll(isOnline, { timeout: 30_000 }).toBe(true);
  return { id, gateway };
};

const rollout = (id: string): Promise<Rollout> => ask<Rollout>('GET', `/rollouts/${id}`);
const until = async (id: string, isSo: (rollout: Rollout) => boolean): Promise<Rollout> => {
  await expect
    .poll(async () => isSo(await rollout(id)), { timeout: 100_000, interval: 200 })
    .toBe(true)
    .catch(async (error: Error) => {
      throw new Error(`${JSON.stringify(await rollout(id))}\n${launched.map(one => one.log).join('\n')}`, {
        cause: error,
      });
    });
  return rollout(id);
};

/** How often it is among the events of the device. */
const told = async (device: string, why: string): Promise<number> => {
  const answer = await fetch(`${bridge.ready['http']}/v2/events?object.device_id=${device}`, {
    headers: { authorization },
  });
  const { data } = (await answer.json()) as { data: readonly { readonly reason?: string }[] };
  return data.filter(({ reason }) => reason === why).length;
};

it('brings a release to the first stage, looks at it, then to the rest, and tells how far each device is', async () => {
  const [first, second] = [await door('a'), await door('b')];
  const release_id = await uploaded(await made('1.1.0'));
  const stages = [{ count: 1, wait_s: 2 }];
  const { id, devices } = await ask<Rollout>('POST', '/rollouts', { release_id, all: true, stages });
  expect(devices.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
  const early = await until(id, ({ progress }) => progress['confirmed'] === 1);
  expect(early.devices.map(({ state }) => state).toSorted()).toEqual(['confirmed', 'waiting']);
  const done = await until(id, ({ state }) => state === 'done');
  expect(done.devices.map(({ state, running_version }) => [state, running_version])).toEqual([
    ['confirmed', '1.1.0'],
    ['confirmed', '1.1.0'],
  ]);
  expect([first.controller.good, second.controller.good]).toEqual(['1.1.0', '1.1.0']);
  expect(await told(first.id, 'updated')).toBe(1);
});

it('stops when a device goes back, says why, and leaves the others as they are', async () => {
  const [first, second] = [await door('a', 20), await door('b', 20)];
  const release_id = await uploaded(await made('1.1.0', 'mute'));
  const { id } = await ask<Rollout>('POST', '/rollouts', {
    release_id,
    device_ids: [first.id, second.id],
    stages: [{ percent: 50 }],
  });
  const halted = await until(id, ({ state }) => state === 'halted');
  const back = halted.devices.find(({ state }) => state === 'rolled_back');
  expect(back).toMatchObject({ running_version: '1.0.0', reason: expect.stringContaining('bridge') });
  expect(halted.devices.find(({ device_id }) => device_id !== back?.device_id)?.state).toBe('waiting');
  expect([first.controller.good, second.controller.good]).toEqual([null, null]);
  const cancelled = await ask<Rollout>('POST', `/rollouts/${id}/cancel`, {});
  expect([cancelled.state, cancelled.progress]).toEqual(['cancelled', { rolled_back: 1, cancelled: 1 }]);
});

it('takes an archive in parts, refuses a foreign one, and hands it out to nobody without the order', async () => {
  const file = await made('1.1.0');
  const bytes = readFileSync(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const half = Math.floor(bytes.length / 2);
  const part = (from: number, to: number): Promise<Response> =>
    send('PUT', `/release_uploads/${sha256}?offset=${from}`, bytes.subarray(from, to), 'application/octet-stream');
  expect(await (await part(0, half)).json()).toEqual({ sha256, received: half });
  expect((await part(5, half)).status).toBe(400);
  expect(await (await part(half, bytes.length)).json()).toEqual({ sha256, received: bytes.length });
  const release = await send('POST', `/releases?upload=${sha256}`);
  expect([release.status, await release.json()]).toMatchObject([200, { version: '1.1.0', sha256 }]);
  const broken = Buffer.from(bytes);
  broken[broken.length - 1500]! ^= 1;
  const refused = await send('POST', '/releases', broken, 'application/octet-stream');
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { type: 'invalid_request', args: { reason: 'damaged' } },
  ]);
  const asked = await send('POST', '/releases', '{}');
  expect(asked.status).toBe(415);
  const stolen = await fetch(`${bridge.ready['http']}/updates/v1/rollouts/rol_1/devices/dev_1/release`);
  expect(stolen.status).toBe(401);
});

it('goes on with a download where it stopped, and takes an order back', async () => {
  const { id: device, controller } = await door('a');
  await expect.poll(() => controller.readies, { timeout: 20_000 }).toBe(1);
  const from = releaseFolder(join(folder, 'large'), '1.1.0');
  writeFileSync(join(from, 'filling'), Buffer.from(Array.from({ length: 200_000 }, () => Math.random() * 256)));
  const file = join(folder, 'large.release');
  await runLintel('release', 'make', '--from', from, '--key', join(folder, 'release.key'), '--out', file);
  const release_id = await uploaded(file);
  const slow = await ask<Rollout>('POST', '/rollouts', { release_id, device_ids: [device], rate: 20_000 });
  await until(slow.id, ({ devices }) => devices[0]?.state === 'downloading');
  controller.cutPower();
  await ask('POST', `/rollouts/${slow.id}/cancel`, {});
  const fast = await ask<Rollout>('POST', '/rollouts', { release_id, device_ids: [device] });
  await until(fast.id, ({ state }) => state === 'done');
  expect(controller.good).toBe('1.1.0');
});

it('brings the release of a gateway to the gateways, with the progress of each, and leaves controllers alone', async () => {
  const { id: doorId, controller } = await door('a');
  const gateways = [await siteGateway('g'), await siteGateway('h')];
  const release_id = await uploaded(await made('1.1.0', 'sound', 'gateway'));
  const wrong = await send('POST', '/rollouts', JSON.stringify({ release_id, device_ids: [gateways[0]!.id, doorId] }));
  expect([wrong.status, await wrong.json()]).toMatchObject([
    400,
    { message: `device_ids.1: ${doorId} is a controller, the release is for a gateway` },
  ]);
  const stages = [{ count: 1 }];
  const { id, ...created } = await ask<Rollout>('POST', '/rollouts', { release_id, all: true, stages });
  expect(created).toMatchObject({ program: 'gateway', version: '1.1.0' });
  expect(new Set(created.devices.map(({ device_id }) => device_id))).toEqual(new Set(gateways.map(one => one.id)));
  expect(created.progress).toEqual({ waiting: 2 });
  const early = await until(id, ({ progress }) => progress['confirmed'] === 1);
  expect(early.stage).toBeLessThanOrEqual(1);
  const done = await until(id, ({ state }) => state === 'done');
  expect(done.progress).toEqual({ confirmed: 2 });
  expect(done.devices.map(({ running_version }) => running_version)).toEqual(['1.1.0', '1.1.0']);
  expect(gateways.map(({ gateway }) => [gateway.good, gateway.readies])).toEqual([
    ['1.1.0', 2],
    ['1.1.0', 2],
  ]);
  expect([controller.good, controller.starts]).toEqual([null, 1]);
  for (const gateway of gateways) expect(await told(gateway.id, 'updated')).toBe(1);
});

it('has a gateway go back that does not reach the bridge any more, or cannot read what it has stored', async () => {
  const [mute, blind] = [await siteGateway('g', 20), await siteGateway('h', 20)];
  for (const [version, behaviour, { id: device, gateway }, reason] of [
    ['1.1.0', 'mute', mute, /^bridge: /],
    ['1.2.0', 'blind', blind, /fault: store/],
  ] as const) {
    const release_id = await uploaded(await made(version, behaviour, 'gateway'));
    const { id } = await ask<Rollout>('POST', '/rollouts', { release_id, device_ids: [device] });
    const halted = await until(id, ({ state }) => state === 'halted');
    expect(halted.devices).toMatchObject([
      { state: 'rolled_back', running_version: '1.0.0', reason: expect.stringMatching(reason) },
    ]);
    expect([gateway.good, (await gateway.status()).faults]).toEqual([null, []]);
    expect(await told(device, 'update_rolled_back')).toBe(1);
  }
});
