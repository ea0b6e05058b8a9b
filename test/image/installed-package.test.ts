import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { buildDebianPackage } from '@lintel/packaging/testing';
import { generateReleasePrivateKey, createReleaseSigner } from '@lintel/updates/release-files/release-keys';
import { requirePackage, unpack } from '../support/processes/build-and-unpack-debian-package.ts';
import { LaunchedGateway } from '../support/processes/launched-gateway.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { startBridge } from '../support/processes/bridge-process.ts';
import { typeAtSimulatedKeypad } from '../support/processes/device-process.ts';
import type { StartedProgram } from '../support/processes/start-program.ts';
import { callProgram, startPackagedProgram } from '../support/processes/packaged-program.ts';

const arch = process.arch === 'arm64' ? 'arm64' : 'amd64';
const quietly = ['--technician-host', '127.0.0.1', '--technician-port', '0', '--no-mdns'];

let folder: string;
let bridge: StartedProgram | null;
let running: StartedProgram | null;
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

const seed = {
  organization: { key: 'org', name: 'Hotel' },
  sites: [{ key: 'site', name: 'Main', timezone: 'Europe/Madrid' }],
  member_groups: [{ key: 'all', name: 'All', permissions: [{ site: 'site' }] }],
  members: [{ key: 'ann', name: 'Ann', groups: ['all'], pins: ['2580'] }],
};

/** A bridge process where Ann may open every door with 2580, and a client for its API. */
const openSite = async () => {
  const data = ['--data', join(folder, 'bridge')];
  bridge = await startBridge(join(folder, 'bridge'), '--host', '127.0.0.1', '--mqtts-port', '0');
  const { http } = bridge.ready;
  const file = join(folder, 'seed.json');
  writeFileSync(file, JSON.stringify(seed));
  const { ids } = await json<{ ids: Record<string, string> }>('seed', file, ...data);
  const scope = ['--organization', ids['org']!, '--scope', 'full_read_write'];
  const { access_token } = await json<{ access_token: string }>('token', ...data, ...scope);
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${http}${path}`, { method, headers, ...sent });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const tickets = `/admin/v1/organizations/${ids['org']}/claim_tickets`;
  const { code } = await call<{ code: string }>('POST', tickets, { site_id: ids['site'], expires_in: 3600 });
  return { call, code, url: http!, annId: ids['ann']! };
};

type Site = Awaited<ReturnType<typeof openSite>>;

const pinIsServed = async ({ call, annId }: Site): Promise<boolean> => {
  const { data } = await call<{ data: { id: string }[] }>('GET', `/v2/members/${annId}/pins`);
  const { doors } = await call<{ doors: { status: string }[] }>('GET', `/admin/v1/pins/${data[0]!.id}/reach`);
  return doors[0]?.status === 'served';
};

const usesOf = async ({ call }: Site): Promise<number> =>
  (await call<{ data: unknown[] }>('GET', '/v2/events?verb=use&object.type=gadget_action')).data.length;

const pageOf = async (url: string): Promise<string> => {
  const outgoing = request(url, { rejectUnauthorized: false }).end();
  const [answer] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
  return text(answer);
};

/** Command lines of the child processes. */
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

describe('Installed package', { tags: ['slow'] }, () => {
  it('enrolls a controller, serves its page, opens for a PIN and reports the event', async context => {
    const { program, profile } = await installed(context, 'controller');
    const data = join(folder, 'door');
    const at = await openSite();
    const product = ['--profile', profile('laptop-simulator'), '--data', data];
    await callProgram(program, 'enroll', ...product, '--bridge', at.url, '--code', at.code);
    running = await startPackagedProgram(program, ['device', ...product, ...quietly]);
    expect(running.ready).toMatchObject({ ready: true, product_id: 'laptop-simulator' });
    expect(await pageOf(running.ready['technician']!)).toContain('<script type="module">');
    await expect.poll(() => pinIsServed(at)).toBe(true);
    await typeAtSimulatedKeypad(data, '2580');
    await expect.poll(() => usesOf(at)).toBe(1);
    expect(await running.stop()).toBe(0);
  });

  it('starts the PC/SC process with the bundled Node and loads the serial port addon', async context => {
    const { program, profile, node } = await installed(context, 'controller');
    const noService = { PCSCLITE_CSOCK_NAME: join(folder, 'none.comm') };
    const options = ['--profile', profile('usb-only'), '--data', join(folder, 'door'), ...quietly];
    running = await startPackagedProgram(program, ['device', ...options], noService);
    const pid = running.process.pid!;
    const readers = () => childrenOf(pid).find(line => line.includes('pcsc-process'));
    await expect.poll(readers).toMatch(new RegExp(`^${node} .*/program/pcsc-process\\.js`));
    await expect.poll(() => running!.log()).toMatch(/PC\/SC service \(pcscd\) does not respond/);
    expect(running.log()).not.toMatch(/Cannot find module|cannot be used/);
    expect(await running.stop()).toBe(0);
  });

  it('provides the commands for technicians and rejects the others by name', async context => {
    const { program } = await installed(context, 'controller');
    expect(await callProgram(program, 'profile', 'list')).toContain('rpi-gpio-acr122u');
    expect(await callProgram(program, 'rules', '--help')).toContain('lintel rules check');
    const findings = JSON.parse(
      await callProgram(program, 'doctor', '--data', folder, '--json').catch(
        ({ stdout }: { stdout: string }) => stdout,
      ),
    ) as { findings: { area: string }[] };
    expect(findings.findings.map(({ area }) => area)).toContain('pcsc');
    await expect(callProgram(program, 'bridge')).rejects.toThrow(/Unknown command "bridge"/);
  });

  it('starts an unclaimed gateway that reports its version', async context => {
    const { program } = await installed(context, 'gateway');
    const { version } = await requirePackage(context, { program: 'gateway', arch });
    const data = join(folder, 'gateway');
    running = await startPackagedProgram(program, ['gateway', '--data', data, '--listen', '127.0.0.1:0', '--no-mdns']);
    expect(running.ready).toMatchObject({ ready: true, device_id: null });
    const status = await callProgram(program, 'gateway', 'status', '--data', data, '--json');
    expect(JSON.parse(status)).toMatchObject({ version });
    expect(await running.stop()).toBe(0);
  });

  it('updates a gateway to a release made from its next package', async context => {
    const { program, home } = await installed(context, 'gateway');
    const { version } = await requirePackage(context, { program: 'gateway', arch });
    const key = generateReleasePrivateKey();
    writeFileSync(join(folder, 'release.key'), key, { mode: 0o600 });
    writeFileSync(join(folder, 'release.pub'), createReleaseSigner(key).publicPem);
    const next = await buildDebianPackage({ program: 'gateway', arch, outDir: folder, version: '9.1.0' });
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
      await expect.poll(() => gateway.isServing()).toBe(true);
      expect((await gateway.status()).version).toBe(version);
      const places = ['--releases', releases, '--package', home, '--keys', folder];
      expect(await callProgram(program, 'update', file, ...places, '--wait', '60')).toContain('state: confirmed');
      expect((await gateway.status()).version).toBe('9.1.0');
    } finally {
      await gateway.stop();
    }
  });

  it('exits with code 75 on SIGUSR2 after a key was pressed, so that the new package starts', async context => {
    const { program, profile } = await installed(context, 'controller');
    const data = join(folder, 'door');
    const options = ['--profile', profile('laptop-simulator'), '--data', data, ...quietly];
    running = await startPackagedProgram(program, ['device', ...options], { LINTEL_QUIET_SECONDS: '1' });
    const exited = once(running.process, 'exit') as Promise<[number | null]>;
    await typeAtSimulatedKeypad(data, '1*');
    running.process.kill('SIGUSR2');
    expect((await exited)[0]).toBe(75);
  });
});
