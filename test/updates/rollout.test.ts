import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateReleasePrivateKey, createReleaseSigner } from '@lintel/updates/release-files/release-keys';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepFailureEvidence } from '../support/faults/failure-evidence.ts';
import { LaunchedController } from '../support/processes/launched-controller.ts';
import { LaunchedGateway } from '../support/processes/launched-gateway.ts';
import type { LaunchedOptions, LaunchedProgram } from '../support/processes/launched-program.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { startBridge } from '../support/processes/bridge-process.ts';
import type { StartedProgram } from '../support/processes/start-program.ts';
import {
  type TestReleaseBehavior,
  type TestReleaseProduct,
  releaseFolder,
} from '../support/processes/write-test-release-folder.ts';

const profiles = join(import.meta.dirname, '../../hardware-profiles/profiles');
const profileOf = { controller: 'laptop-simulator.json', gateway: 'gateway.json' } as const;
const key = generateReleasePrivateKey();

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

/** Shared by all tests: the data of the bridge, its keys and the packages. */
let shared: string;
let bridge: StartedProgram;
let packageFolders: Readonly<Record<TestReleaseProduct, string>>;
let organizations = 0;

/** State of the current test. */
let folder: string;
let organization: string;
let site: string;
let authorization: string;
let launched: LaunchedProgram[];

const runJson = async <T>(...args: readonly string[]): Promise<T> => {
  const { code, stdout, stderr } = await runLintel(...args, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
};

beforeAll(async () => {
  shared = mkdtempSync(join(tmpdir(), 'lintel-rollout-'));
  const keys = join(shared, 'keys');
  mkdirSync(keys);
  writeFileSync(join(shared, 'release.key'), key, { mode: 0o600 });
  writeFileSync(join(keys, 'a.pub'), createReleaseSigner(key).publicPem);
  // Written once, because a file that is being executed cannot be written.
  const packageOf = (product: TestReleaseProduct): string =>
    releaseFolder(join(shared, `${product}-package`), '1.0.0', 'healthy', product);
  packageFolders = { controller: packageOf('controller'), gateway: packageOf('gateway') };
  const options = ['--host', '127.0.0.1', '--mqtts-port', '0', '--release-keys', keys];
  bridge = await startBridge(join(shared, 'bridge'), ...options);
});
afterAll(async () => {
  await bridge.stop('SIGKILL');
  rmSync(shared, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = mkdtempSync(join(shared, 'test-'));
  launched = [];
  const [org, main, data] = [`org-${++organizations}`, `site-${organizations}`, join(shared, 'bridge')];
  const seed = { organization: { key: org, name: 'Test' }, sites: [{ key: main, name: 'Main', timezone: 'UTC' }] };
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed));
  const { ids } = await runJson<{ ids: Record<string, string> }>('seed', join(folder, 'seed.json'), '--data', data);
  [organization, site] = [ids[org]!, ids[main]!];
  const scope = ['--data', data, '--organization', organization, '--scope', 'full_read_write'];
  authorization = `Bearer ${(await runJson<{ access_token: string }>('token', ...scope)).access_token}`;
});
afterEach(async context => {
  await Promise.all(launched.map(program => program.stop('SIGKILL')));
  const logs = Object.fromEntries(launched.map((program, index) => [`program-${index}`, program.log]));
  const directories = [folder, join(shared, 'bridge')];
  keepFailureEvidence(context, { directories, logs: { bridge: bridge.log(), ...logs } });
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

const call = async <T = { id: string }>(method: string, path: string, body?: object): Promise<T> => {
  const answer = await send(method, path, body === undefined ? undefined : JSON.stringify(body));
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
};

const makeRelease = async (
  version: string,
  behavior: TestReleaseBehavior = 'healthy',
  product: TestReleaseProduct = 'controller',
): Promise<string> => {
  const file = join(folder, `${product}-${version}.release`);
  const from = releaseFolder(join(folder, `${product}-${version}`), version, behavior, product);
  const to = ['--key', join(shared, 'release.key'), '--out', file];
  const { code, stderr } = await runLintel('release', 'make', '--from', from, ...to);
  if (code !== 0) throw new Error(stderr);
  return file;
};

const upload = async (file: string): Promise<string> => {
  const answer = await send('POST', '/releases', readFileSync(file), 'application/octet-stream');
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { id: string }).id;
};

type TrialTimes = Pick<LaunchedOptions, 'deadlineSeconds'>;

const claim = async (name: string, product: TestReleaseProduct, times: TrialTimes) => {
  const dataDir = join(folder, name);
  const { code } = await call<{ code: string }>('POST', '/claim_tickets', { site_id: site });
  const profile = ['--profile', join(profiles, profileOf[product])];
  const enrollArguments = ['--data', dataDir, '--bridge', bridge.ready['http']!, '--code', code, ...profile];
  const { device_id } = await runJson<{ device_id: string }>('enroll', ...enrollArguments);
  const options = {
    dataDir,
    releases: join(folder, `${name}-releases`),
    packageFolder: packageFolders[product],
    keys: join(shared, 'keys'),
    ...times,
  };
  return { id: device_id, options };
};

/** A claimed controller under its launcher. */
const startController = async (name: string, times: TrialTimes = {}) => {
  const { id, options } = await claim(name, 'controller', times);
  const controller = new LaunchedController(options).start();
  launched.push(controller);
  return { id, controller };
};

/** A claimed gateway under its launcher, connected to the bridge. */
const startGateway = async (name: string, times: TrialTimes = {}) => {
  const { id, options } = await claim(name, 'gateway', times);
  const gateway = new LaunchedGateway(options).start();
  launched.push(gateway);
  const isOnline = async (): Promise<boolean> => {
    try {
      return (await gateway.status()).upstream.connected;
    } catch {
      return false;
    }
  };
  await expect.poll(isOnline, { timeout: 60_000 }).toBe(true);
  return { id, gateway };
};

const readRollout = (id: string): Promise<Rollout> => call<Rollout>('GET', `/rollouts/${id}`);

const rolloutUntil = async (id: string, isReached: (rollout: Rollout) => boolean): Promise<Rollout> => {
  let rollout = await readRollout(id);
  const look = async (): Promise<boolean> => {
    rollout = await readRollout(id);
    return isReached(rollout);
  };
  await expect
    .poll(look, { timeout: 120_000, interval: 200 })
    .toBe(true)
    .catch((error: Error) => {
      throw new Error(JSON.stringify(rollout), { cause: error });
    });
  return rollout;
};

const countEvents = async (device: string, wanted: string): Promise<number> => {
  const answer = await fetch(`${bridge.ready['http']}/v2/events?object.device_id=${device}`, {
    headers: { authorization },
  });
  const { data } = (await answer.json()) as { data: readonly { readonly reason?: string }[] };
  return data.filter(({ reason }) => reason === wanted).length;
};

const slow = { tags: ['slow'] };

describe('Roll-out to controllers', slow, () => {
  it('installs a release and reports the new version', async () => {
    const { id: device, controller } = await startController('a');
    const release_id = await upload(await makeRelease('1.1.0'));
    const { id, devices } = await call<Rollout>('POST', '/rollouts', { release_id, device_ids: [device] });
    expect(devices.map(({ state }) => state)).toEqual(['waiting']);
    const done = await rolloutUntil(id, ({ state }) => state === 'done');
    expect(done.devices).toMatchObject([{ state: 'confirmed', running_version: '1.1.0' }]);
    expect(controller.good).toBe('1.1.0');
    await expect.poll(() => countEvents(device, 'updated')).toBe(1);
  });

  it('reaches the rest of the controllers after the first stage', async () => {
    const [first, second] = [await startController('a'), await startController('b')];
    const release_id = await upload(await makeRelease('1.1.0'));
    const stages = [{ count: 1 }];
    const { id, devices } = await call<Rollout>('POST', '/rollouts', { release_id, all: true, stages });
    expect(devices.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
    await rolloutUntil(id, ({ progress }) => (progress['confirmed'] ?? 0) >= 1);
    const done = await rolloutUntil(id, ({ state }) => state === 'done');
    expect(done.progress).toEqual({ confirmed: 2 });
    expect([first.controller.good, second.controller.good]).toEqual(['1.1.0', '1.1.0']);
  });

  it('halts when a controller rolls back, with the reason, and leaves the others unchanged', async () => {
    const times = { deadlineSeconds: 5 };
    const [first, second] = [await startController('a', times), await startController('b', times)];
    const release_id = await upload(await makeRelease('1.1.0', 'offline'));
    const { id } = await call<Rollout>('POST', '/rollouts', {
      release_id,
      device_ids: [first.id, second.id],
      stages: [{ percent: 50 }],
    });
    const halted = await rolloutUntil(id, ({ state }) => state === 'halted');
    const back = halted.devices.find(({ state }) => state === 'rolled_back');
    expect(back).toMatchObject({ running_version: '1.0.0', reason: expect.stringContaining('bridge') });
    expect(halted.devices.find(({ device_id }) => device_id !== back?.device_id)?.state).toBe('waiting');
    expect([first.controller.good, second.controller.good]).toEqual([null, null]);
    const cancelled = await call<Rollout>('POST', `/rollouts/${id}/cancel`, {});
    expect([cancelled.state, cancelled.progress]).toEqual(['cancelled', { rolled_back: 1, cancelled: 1 }]);
  });

  it('resumes a download after a power cut, also for another roll-out of the release', async () => {
    const { id: device, controller } = await startController('a');
    await expect.poll(() => controller.readies, { timeout: 60_000 }).toBe(1);
    const from = releaseFolder(join(folder, 'large'), '1.1.0');
    writeFileSync(join(from, 'filling'), randomBytes(200_000));
    const file = join(folder, 'large.release');
    await runLintel('release', 'make', '--from', from, '--key', join(shared, 'release.key'), '--out', file);
    const release_id = await upload(file);
    const limited = await call<Rollout>('POST', '/rollouts', { release_id, device_ids: [device], rate: 20_000 });
    await rolloutUntil(limited.id, ({ devices }) => devices[0]?.state === 'downloading');
    controller.cutPower();
    await call('POST', `/rollouts/${limited.id}/cancel`, {});
    const unlimited = await call<Rollout>('POST', '/rollouts', { release_id, device_ids: [device] });
    await rolloutUntil(unlimited.id, ({ state }) => state === 'done');
    expect(controller.good).toBe('1.1.0');
  });
});

describe('Roll-out to gateways', slow, () => {
  it('updates the gateways in stages and leaves controllers alone', async () => {
    const { id: controllerId, controller } = await startController('a');
    const gateways = [await startGateway('g'), await startGateway('h')];
    const release_id = await upload(await makeRelease('1.1.0', 'healthy', 'gateway'));
    const body = JSON.stringify({ release_id, device_ids: [gateways[0]!.id, controllerId] });
    const wrong = await send('POST', '/rollouts', body);
    expect([wrong.status, await wrong.json()]).toMatchObject([
      400,
      {
        message: `The field 'device_ids.1' refers to the device ${controllerId}, which is a controller. The release is for a gateway.`,
      },
    ]);
    const stages = [{ count: 1 }];
    const { id, ...created } = await call<Rollout>('POST', '/rollouts', { release_id, all: true, stages });
    expect(created).toMatchObject({ program: 'gateway', version: '1.1.0', progress: { waiting: 2 } });
    expect(new Set(created.devices.map(({ device_id }) => device_id))).toEqual(new Set(gateways.map(one => one.id)));
    const done = await rolloutUntil(id, ({ state }) => state === 'done');
    expect(done.progress).toEqual({ confirmed: 2 });
    expect(done.devices.map(({ running_version }) => running_version)).toEqual(['1.1.0', '1.1.0']);
    expect(gateways.map(({ gateway }) => [gateway.good, gateway.readies])).toEqual([
      ['1.1.0', 2],
      ['1.1.0', 2],
    ]);
    expect([controller.good, controller.starts]).toEqual([null, 1]);
    for (const gateway of gateways) await expect.poll(() => countEvents(gateway.id, 'updated')).toBe(1);
  });

  it.each([
    ['cannot reach the bridge', 'offline', /^bridge: /],
    ['cannot read its storage', 'unreadableStorage', /fault: store/],
  ] as const)('rolls back a version that %s', async (_, behavior, reason) => {
    const { id: device, gateway } = await startGateway('g', { deadlineSeconds: 5 });
    const release_id = await upload(await makeRelease('1.1.0', behavior, 'gateway'));
    const { id } = await call<Rollout>('POST', '/rollouts', { release_id, device_ids: [device] });
    const halted = await rolloutUntil(id, ({ state }) => state === 'halted');
    expect(halted.devices).toMatchObject([
      { state: 'rolled_back', running_version: '1.0.0', reason: expect.stringMatching(reason) },
    ]);
    expect([gateway.good, (await gateway.status()).faults]).toEqual([null, []]);
    await expect.poll(() => countEvents(device, 'update_rolled_back')).toBe(1);
  });
});
