import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instant } from '@lintel/access-core/instant';
import { newReleaseKey, readReleaseKeys, signerOf } from '@lintel/device-link/releases/release-keys';
import { writeRelease } from '@lintel/device-link/releases/write-release';
import { DigestKeyFile } from '@lintel/device-runtime/adapters/digest-key/key-file';
import { EventBuffer } from '@lintel/device-runtime/adapters/sqlite/event-buffer';
import { SliceCache } from '@lintel/device-runtime/adapters/sqlite/slice-cache';
import { CredentialDigests } from '@lintel/device-runtime/app/credential-digests';
import {
  deviceEntry,
  gadgetEntry,
  groupEntry,
  memberEntry,
  siteEntry,
  snapshotOf,
} from '@lintel/device-runtime/testing/door-entries';
import { installRelease } from '@lintel/device-link/updates/install-release';
import { type Launch, planLaunch } from '@lintel/device-link/updates/launch-plan';
import { payloadFolder } from '@lintel/device-runtime/updates/payload-folder';
import { SlotFiles } from '@lintel/device-link/updates/slot-files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LaunchedController } from '../support/processes/launched-controller.ts';
import { LaunchedGateway } from '../support/processes/launched-gateway.ts';
import type { LaunchedProgram } from '../support/processes/launched-program.ts';
import { type Product, releaseFolder } from '../support/processes/release-folder.ts';

const preload = fileURLToPath(new URL('../support/faults/kill-at-step.mjs', import.meta.url));
const piece = fileURLToPath(new URL('update-power-cut-child.ts', import.meta.url));
const key = newReleaseKey();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-cut-'));
  writeFileSync(join(folder, 'a.pub'), signerOf(key).publicPem);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const packaged = (program: Product): string => releaseFolder(join(folder, 'package'), '1.0.0', 'sound', program);

const archiveOf = async (version: string, program: Product): Promise<string> => {
  const from = releaseFolder(join(folder, version), version, 'sound', program);
  mkdirSync(join(from, 'program'), { recursive: true });
  writeFileSync(join(from, 'program/large.js'), 'x'.repeat(300_000));
  const file = join(folder, `${version}.release`);
  const plan = { program, version, arch: 'all', entry: 'start', minimum_version: null } as const;
  const files = payloadFolder(from);
  await writeRelease({ ...plan, allow_downgrade: false, createdAt: instant(0), files }, signerOf(key), file);
  return file;
};

/** Ends by itself, or is killed before its Nth step on the disk. */
const killedAt = async (step: number, ...args: readonly string[]): Promise<boolean> => {
  const call = ['--import', preload, piece, ...args];
  const env = { ...process.env, LINTEL_KILL_AT: String(step), LINTEL_KILL_BELOW: join(folder, 'releases') };
  const child = spawn(process.execPath, call, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (code !== null && code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return signal === 'SIGKILL';
};

const launched = (): Launch =>
  planLaunch(
    { releases: join(folder, 'releases'), package: join(folder, 'package'), trialSeconds: 300 },
    () => undefined,
  );

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Every file of what would be started is as it was made. */
const expectWhole = ({ entry, version }: Launch): void => {
  const source = version === '1.0.0' ? join(folder, 'package') : join(folder, version);
  for (const { path } of payloadFolder(source))
    expect([path, digestOf(join(dirname(entry), path))]).toEqual([path, digestOf(join(source, path))]);
};

describe.each(['controller', 'gateway'] as const)('a %s whose power goes at any step of an update', program => {
  beforeEach(() => void packaged(program));

  it('has the old version or the new one while it is unpacked, whole in either case', async () => {
    const archive = await archiveOf('1.1.0', program);
    let isKilled = true;
    let step = 0;
    for (step = 1; isKilled; step++) {
      isKilled = await killedAt(step, 'install', program, folder, archive);
      const files = new SlotFiles(join(folder, 'releases'));
      const pending = files.pending();
      // What is wished for is whole, from the first moment on.
      if (pending !== null) expect(files.isThere(pending.release)).toBe(true);
      expect(files.read().good).toBeNull();
    }
    expect(step).toBeGreaterThan(20);
    const launch = launched();
    expect([launch.version, launch.isTrial]).toEqual(['1.1.0', true]);
    expectWhole(launch);
  });

  it.each(['switch', 'confirm'])('starts one of the two after it was cut in the middle of the %s', async work => {
    const files = new SlotFiles(join(folder, 'releases'));
    const parts = { files, keys: readReleaseKeys(folder) };
    const installed = async (version: string, running: string): Promise<void> => {
      const machine = { program, arch: 'amd64', version: running, floor: running };
      const made = await installRelease(await archiveOf(version, program), { ...parts, machine });
      files.wish({ id: version, ...made, rollout_id: null, before: null });
    };
    // 1.1.0 is good, and 1.2.0 is on its way.
    await installed('1.1.0', '1.0.0');
    launched();
    await killedAt(0, 'confirm', program, folder);
    await installed('1.2.0', '1.1.0');
    if (work === 'confirm') launched();
    const before = join(folder, 'before');
    cpSync(join(folder, 'releases'), before, { recursive: true, verbatimSymlinks: true });
    let isKilled = true;
    let step = 0;
    const seen = new Set<string>();
    for (step = 1; isKilled; step++) {
      rmSync(join(folder, 'releases'), { recursive: true });
      cpSync(before, join(folder, 'releases'), { recursive: true, verbatimSymlinks: true });
      isKilled = await killedAt(step, work, program, folder);
      // Nobody confirms it: in the end the last good one runs, unless the new one was confirmed before the cut.
      const launches = Array.from({ length: 6 }, launched);
      for (const launch of launches) expectWhole(launch);
      const { good } = files.read();
      expect(['1.1.0', '1.2.0']).toContain(good?.version);
      expect([step, launches.at(-1)?.version]).toEqual([step, good?.version]);
      seen.add(good?.version ?? '');
      expect(existsSync(files.releaseFolder(good?.release ?? ''))).toBe(true);
    }
    expect(step).toBeGreaterThan(4);
    expect([...seen]).toEqual(work === 'switch' ? ['1.1.0'] : ['1.1.0', '1.2.0']);
  });
});

const options = () => ({
  dataDir: join(folder, 'data'),
  releases: join(folder, 'releases'),
  packageFolder: join(folder, 'package'),
  keys: folder,
});

/** Cuts the power again and again while it is updated to 1.1.0; each time it must be of use again. Answers how often. */
const cutWhileUpdated = async (
  running: LaunchedProgram,
  program: Product,
  isOfUse: () => Promise<boolean>,
): Promise<number> => {
  const archive = await archiveOf('1.1.0', program);
  let cuts = 0;
  try {
    for (const delay of [0, 300, 900, 1500, 2100, 2700, 3300]) {
      await expect.poll(() => running.isServing(), { timeout: 30_000 }).toBe(true);
      const machine = { program, arch: 'amd64', version: '1.0.0', floor: '1.0.0' };
      const { files } = running;
      const installed = await installRelease(archive, { files, keys: readReleaseKeys(folder), machine });
      if (running.good === null) files.wish({ id: String(delay), ...installed, rollout_id: null, before: null });
      await new Promise(resolve => setTimeout(resolve, delay));
      running.cutPower();
      await expect.poll(isOfUse, { timeout: 30_000, interval: 300 }).toBe(true);
      cuts++;
    }
    await expect.poll(() => running.files.read().candidate, { timeout: 60_000 }).toBeNull();
  } finally {
    await running.stop();
  }
  expect([null, '1.1.0']).toContain(running.good);
  return cuts;
};

it('a controller opens its door after every cut, with the program before or with the new one', async () => {
  packaged('controller');
  const { dataDir } = options();
  mkdirSync(dataDir, { mode: 0o700 });
  const digests = new CredentialDigests(new DigestKeyFile(join(dataDir, 'digest.key')).read());
  const slices = new SliceCache(join(dataDir, 'slice.db'));
  const member = memberEntry(digests, 'mem_ann', { pins: ['2580'], groups: ['mg_all'] });
  const entries = [deviceEntry(), siteEntry(), gadgetEntry({ id: 'gad_door' }), groupEntry('mg_all', [{}]), member];
  await slices.receive(snapshotOf(entries, 1, digests.keyId));
  slices.close();
  const controller = new LaunchedController(options()).start();
  const isOpen = (): Promise<boolean> =>
    controller.type('2580').then(
      () => true,
      () => false,
    );
  const opened = await cutWhileUpdated(controller, 'controller', isOpen);
  const buffer = new EventBuffer({
    file: join(dataDir, 'events.db'),
    remembered: () => ({ ceiling: 0, confirmed: 0 }),
  });
  const uses = buffer.read(0, Number.MAX_SAFE_INTEGER, 1_000_000).filter(({ kind }) => kind === 'use');
  buffer.close();
  expect(uses.length).toBeGreaterThanOrEqual(opened);
});

it('a gateway serves after every cut, with the program before or with the new one', async () => {
  packaged('gateway');
  const gateway = new LaunchedGateway(options()).start();
  const hasPorts = async (): Promise<boolean> => {
    try {
      const { addresses } = await gateway.status();
      const port = Number(new URL(addresses.mqtt ?? '').port);
      const socket = connect({ host: '127.0.0.1', port });
      await once(socket, 'connect');
      socket.destroy();
      return true;
    } catch {
      return false;
    }
  };
  expect(await cutWhileUpdated(gateway, 'gateway', hasPorts)).toBe(7);
});
