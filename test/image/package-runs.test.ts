import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { request } from 'node:https';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, type TestContext } from 'vitest';
import { buildPackage } from '@lintel/device-runtime/image/package/build-package';
import { newReleaseKey, signerOf } from '@lintel/device-link/releases/release-keys';
import { requirePackage, unpack } from '../support/processes/built-package.ts';
import { LaunchedGateway } from '../support/processes/launched-gateway.ts';
import { type RunningBridge, runLintel, startBridge } from '../support/processes/lintel-command.ts';
import { callProgram, type RunningProgram, startProgram } from '../support/processes/packaged-program.ts';

const arch = process.arch === 'arm64' ? 'arm64' : 'amd64';
const slowly = 120_000;
const patiently = { timeout: 20_000, interval: 50 };
const quietly = ['--technician-host', '127.0.0.1', '--technician-port', '0', '--no-mdns'];

let folder: string;
let bridge: RunningBridge | null;
let running: RunningProgram | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-package-runs-'));
  bridge = null;
  running = null;
});
afterEach(async () => {
  await running?.stop('SIGKILL');
  await bridge?.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const installed = async (context: TestContext, program: 'controller' | 'gateway') => {
  const root = await unpack(await requirePackage(context, { program, arch }));
  const home = join(root, `usr/lib/lintel-${program}`);
  return {
    program: join(root, `usr/bin/lintel-${program}`),
    profile: (name: string) => join(home, 'profiles', `${name}.json`),
    node: join(home, 'bin/node'),
    home,
  };
};

const json = async <T>(...args: readonly string[]): Promise<T> => {
  const { code, stdout, stderr } = await runLintel(...args, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
};

const hotel = {
  organization: { key: 'org', name: 'Hotel' },
  sites: [{ key: 'site', name: 'Main', timezone: 'Europe/Madrid' }],
  member_groups: [{ key: 'all', name: 'All', permissions: [{ site: 'site' }] }],
  members: [{ key: 'ann', name: 'Ann', groups: ['all'], pins: ['2580'] }],
};

/** A bridge where Ann may open everything with 2580, and how it is asked. */
const openHotel = async () => {
  const data = ['--data', join(folder, 'bridge')];
  bridge = await startBridge(join(folder, 'bridge'), '--host', '127.0.0.1', '--mqtts-port', '0');
  const { http } = bridge.ready;
  const file = join(folder, 'seed.json');
  writeFileSync(file, JSON.stringify(hotel));
  const { ids } = await json<{ ids: Record<string, string> }>('seed', file, ...data);
  const scope = ['--organization', ids['org']!, '--scope', 'full_read_write'];
  const { access_token } = await json<{ access_token: string }>('token', ...data, ...scope);
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${http}${path}`, { method, headers, ...sent });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const tickets = `/admin/v1/organizations/${ids['org']}/claim_tickets`;
  const { code } = await ask<{ code: string }>('POST', tickets, { site_id: ids['site'], expires_in: 3600 });
  return { ask, code, url: http!, annId: ids['ann']! };
};

type Hotel = Awaited<ReturnType<typeof openHotel>>;

const pinIsServed = async ({ ask, annId }: Hotel): Promise<boolean> => {
  const { data } = await ask<{ data: { id: string }[] }>('GET', `/v2/members/${annId}/pins`);
  const { doors } = await ask<{ doors: { status: string }[] }>('GET', `/admin/v1/pins/${data[0]!.id}/reach`);
  return doors[0]?.status === 'served';
};

const usesOf = async ({ ask }: Hotel): Promise<number> =>
  (await ask<{ data: unknown[] }>('GET', '/v2/events?verb=use&object.type=gadget_action')).data.length;

const type = async (dataDir: string, keys: string): Promise<void> => {
  const socket = createConnection(join(dataDir, 'parts.sock'));
  await once(socket, 'connect');
  socket.end(Array.from(keys, key => `${JSON.stringify({ key })}\n`).join(''));
  socket.resume();
  await once(socket, 'close');
};

const pageOf = async (url: string): Promise<string> => {
  const asked = request(url, { rejectUnauthorized: false }).end();
  const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
  return text(answer);
};

it(
  'is enrolled, serves its page, opens for a PIN and tells it, with nothing but what is in the package',
  async context => {
    const { program, profile } = await installed(context, 'controller');
    const data = join(folder, 'door');
    const at = await openHotel();
    const product = ['--profile', profile('laptop-simulator'), '--data', data];
    await callProgram(program, 'enroll', ...product, '--bridge', at.url, '--code', at.code);
    running = await startProgram(program, ['device', ...product, ...quietly]);
    expect(running.ready).toMatchObject({ ready: true, product_id: 'laptop-simulator' });
    expect(await pageOf(running.ready['technician']!)).toContain('<script type="module">');
    await expect.poll(() => pinIsServed(at), patiently).toBe(true);
    await type(data, '2580');
    await expect.poll(() => usesOf(at), patiently).toBe(1);
    const before = performance.now();
    expect(await running.stop()).toBe(0);
    expect(performance.now() - before).toBeLessThan(5_000);
  },
  slowly,
);

/** Command lines of the processes that this one has started. */
const childrenOf = (pid: number): string[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1];
        return Number(parent) === pid ? [readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
      } catch {
        return [];
      }
    });

it(
  'starts its process for card readers, with its own Node, and loads what serial lines need',
  async context => {
    const { program, profile, node } = await installed(context, 'controller');
    const nobody = { PCSCLITE_CSOCK_NAME: join(folder, 'nobody.comm') };
    const options = ['--profile', profile('usb-only'), '--data', join(folder, 'door'), ...quietly];
    running = await startProgram(program, ['device', ...options], nobody);
    const pid = running.process.pid!;
    const readers = () => childrenOf(pid).find(line => line.includes('pcsc-process'));
    await expect.poll(readers, patiently).toMatch(new RegExp(`^${node} .*/program/pcsc-process\\.js`));
    await expect.poll(() => running!.log(), patiently).toMatch(/PC\/SC service \(pcscd\) does not answer/);
    expect(running.log()).not.toMatch(/Cannot find module|cannot be used/);
    expect(await running.stop()).toBe(0);
  },
  slowly,
);

it(
  'gives a technician the same commands as a checkout, and names the one that it has not',
  async context => {
    const { program } = await installed(context, 'controller');
    expect(await callProgram(program, 'profile', 'list')).toContain('rpi-gpio-acr122u');
    expect(await callProgram(program, 'rules', '--help')).toContain('lintel rules check');
    const findings = JSON.parse(
      await callProgram(program, 'doctor', '--data', folder, '--json').catch(
        ({ stdout }: { stdout: string }) => stdout,
      ),
    ) as { findings: { area: string }[] };
    expect(findings.findings.map(({ area }) => area)).toContain('pcsc');
    await expect(callProgram(program, 'bridge')).rejects.toThrow(/there is no command "bridge"/);
  },
  slowly,
);

it(
  'is a gateway that waits to be claimed and says its version',
  async context => {
    const { program } = await installed(context, 'gateway');
    const { version } = await requirePackage(context, { program: 'gateway', arch });
    const data = join(folder, 'gateway');
    running = await startProgram(program, ['gateway', '--data', data, '--listen', '127.0.0.1:0', '--no-mdns']);
    expect(running.ready).toMatchObject({ ready: true, device_id: null });
    const status = await callProgram(program, 'gateway', 'status', '--data', data, '--json');
    expect(JSON.parse(status)).toMatchObject({ version });
    expect(await running.stop()).toBe(0);
  },
  slowly,
);

it(
  'is a gateway that becomes its next version by itself, from a release that was made of its next package',
  async context => {
    const { program, home } = await installed(context, 'gateway');
    const { version } = await requirePackage(context, { program: 'gateway', arch });
    const key = newReleaseKey();
    writeFileSync(join(folder, 'release.key'), key, { mode: 0o600 });
    writeFileSync(join(folder, 'release.pub'), signerOf(key).publicPem);
    const next = await buildPackage({ program: 'gateway', arch, outDir: folder, version: '9.1.0' });
    const file = join(folder, 'next.release');
    const made = ['--from', next.file, '--key', join(folder, 'release.key'), '--out', file];
    expect(await json('release', 'make', ...made)).toMatchObject({ program: 'gateway', version: '9.1.0' });
    const releases = join(folder, 'releases');
    const gateway = new LaunchedGateway({
      dataDir: join(folder, 'gateway'),
      releases,
      packageFolder: home,
      keys: folder,
      program: { node: join(home, 'bin/node'), launcher: join(home, 'program/launcher.js') },
    }).start();
    try {
      await expect.poll(() => gateway.isServing(), patiently).toBe(true);
      expect((await gateway.status()).version).toBe(version);
      const places = ['--releases', releases, '--package', home, '--keys', folder];
      expect(await callProgram(program, 'update', file, ...places, '--wait', '60')).toContain('state: confirmed');
      expect((await gateway.status()).version).toBe('9.1.0');
    } finally {
      await gateway.stop();
    }
  },
  slowly,
);

it(
  'makes way for the package that has replaced it, but not under the hands of somebody who is typing',
  async context => {
    const { program, profile } = await installed(context, 'controller');
    const data = join(folder, 'door');
    const options = ['--profile', profile('laptop-simulator'), '--data', data, ...quietly];
    running = await startProgram(program, ['device', ...options], { LINTEL_QUIET_SECONDS: '3' });
    const exited = once(running.process, 'exit') as Promise<[number | null]>;
    await type(data, '1');
    running.process.kill('SIGUSR2');
    const asked = performance.now();
    expect((await exited)[0]).toBe(75);
    expect(performance.now() - asked).toBeGreaterThan(2_000);
  },
  slowly,
);
