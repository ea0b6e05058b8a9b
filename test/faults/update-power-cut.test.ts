import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instant } from '@lintel/access-core/instant';
import {
  generateReleasePrivateKey,
  readReleasePublicKeys,
  createReleaseSigner,
} from '@lintel/updates/release-files/release-keys';
import { writeRelease } from '@lintel/updates/release-files/write-release';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberEntry,
  createMemberGroupEntry,
  createSiteEntry,
  createSnapshotChunk,
  openEventStore,
} from '@lintel/device-runtime/testing';
import { decideAndSaveProgramLaunch, type ProgramLaunchPlan, verifyAndUnpackRelease } from '@lintel/updates/testing';
import { readFolderPayload } from '@lintel/packaging/testing';
import { ReleasesFolder } from '@lintel/updates/releases-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cutAtDiskStep } from '../support/faults/power-cut-at-disk-step.ts';
import { programFile } from '../support/processes/bundled-programs.ts';
import { keepFailureEvidence } from '../support/faults/failure-evidence.ts';
import { type UpdatePhase, updatePhases } from '../support/faults/update-phases.ts';
import { LaunchedController } from '../support/processes/launched-controller.ts';
import { LaunchedGateway } from '../support/processes/launched-gateway.ts';
import type { LaunchedProgram } from '../support/processes/launched-program.ts';
import { type TestReleaseProduct, releaseFolder } from '../support/processes/write-test-release-folder.ts';
import { iterations } from '../support/test-iterations-and-seed.ts';

const preload = fileURLToPath(new URL('../support/faults/kill-at-disk-step.ts', import.meta.url));
const workProcess = programFile('update-phase');
const key = generateReleasePrivateKey();

let folder: string;
let running: LaunchedProgram | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-cut-'));
  writeFileSync(join(folder, 'a.pub'), createReleaseSigner(key).publicPem);
});
afterEach(async context => {
  await running?.stop('SIGKILL');
  keepFailureEvidence(context, { directories: [folder], logs: { program: running?.log ?? '' } });
  running = null;
  rmSync(folder, { recursive: true, force: true });
});

const packaged = (program: TestReleaseProduct): string =>
  releaseFolder(join(folder, 'package'), '1.0.0', 'healthy', program);

const LARGE = 300_000;

const archiveOf = async (version: string, program: TestReleaseProduct, programBytes = LARGE): Promise<string> => {
  const from = releaseFolder(join(folder, version), version, 'healthy', program);
  mkdirSync(join(from, 'program'), { recursive: true });
  writeFileSync(join(from, 'program/large.js'), 'x'.repeat(programBytes));
  const file = join(folder, `${version}.release`);
  const plan = { program, version, arch: 'all', entry: 'start', minimum_version: null } as const;
  const files = readFolderPayload(from);
  await writeRelease({ ...plan, allow_downgrade: false, createdAt: instant(0), files }, createReleaseSigner(key), file);
  return file;
};

const releases = (): string => join(folder, 'releases');

const cutAt = (step: number, work: UpdatePhase, program: TestReleaseProduct, archive = ''): Promise<boolean> =>
  cutAtDiskStep(step, releases(), () => updatePhases[work]({ program, folder, archive }));

/** The same in a process that receives SIGKILL. */
const killAt = async (step: number, work: UpdatePhase, program: TestReleaseProduct, archive = ''): Promise<boolean> => {
  const call = ['--import', preload, workProcess, work, program, folder, archive];
  const env = { ...process.env, LINTEL_KILL_AT: String(step), LINTEL_KILL_BELOW: releases() };
  const child = spawn(process.execPath, call, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (code !== null && code !== 0) throw new Error(`${work} ended with ${code}`);
  return signal === 'SIGKILL';
};

const launched = (): ProgramLaunchPlan =>
  decideAndSaveProgramLaunch(
    { releases: releases(), package: join(folder, 'package'), trialSeconds: 300 },
    () => undefined,
  );

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Every path below the releases, with the digest of a file or the target of a link. */
const filesOnDisk = (): readonly string[] => {
  if (!existsSync(releases())) return [];
  const entries = readdirSync(releases(), { recursive: true, withFileTypes: true });
  return entries
    .map(entry => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isSymbolicLink()) return `${path} -> ${readlinkSync(path)}`;
      return entry.isFile() ? `${path} ${digestOf(path)}` : path;
    })
    .toSorted();
};

const expectComplete = ({ entry, version }: ProgramLaunchPlan): void => {
  const source = version === '1.0.0' ? join(folder, 'package') : join(folder, version);
  for (const { path } of readFolderPayload(source))
    expect([path, digestOf(join(dirname(entry), path))]).toEqual([path, digestOf(join(source, path))]);
};

/** 1.1.0 is confirmed and 1.2.0 installed, on trial if that is to be confirmed. */
const prepareFor = async (work: 'switch' | 'confirm', program: TestReleaseProduct): Promise<void> => {
  const files = new ReleasesFolder(releases());
  const parts = { files, keys: readReleasePublicKeys(folder) };
  const install = async (version: string, installed: string): Promise<void> => {
    const machine = { program, arch: 'amd64', version: installed, floor: installed };
    const made = await verifyAndUnpackRelease(await archiveOf(version, program), { ...parts, machine });
    files.setPending({ id: version, ...made, rollout_id: null, before: null });
  };
  await install('1.1.0', '1.0.0');
  launched();
  await updatePhases.confirm({ program, folder, archive: '' });
  await install('1.2.0', '1.1.0');
  if (work === 'confirm') launched();
};

/** Restores the releases as they are now. */
const checkpoint = (): (() => void) => {
  const saved = mkdtempSync(join(folder, 'saved-'));
  const options = { recursive: true, verbatimSymlinks: true };
  if (existsSync(releases())) cpSync(releases(), saved, options);
  return () => {
    rmSync(releases(), { recursive: true, force: true });
    cpSync(saved, releases(), options);
  };
};

const describePowerCuts = (program: TestReleaseProduct): void => {
  beforeEach(() => void packaged(program));

  it('has the complete old or the complete new version after a cut at any step of the installation', async () => {
    const archive = await archiveOf('1.1.0', program);
    const files = new ReleasesFolder(releases());
    let step = 1;
    for (; await cutAt(step, 'install', program, archive); step++) {
      const pending = files.pending();
      if (pending !== null) expect([step, files.hasRelease(pending.release)]).toEqual([step, true]);
      expect(files.read().good).toBeNull();
    }
    expect(step).toBeGreaterThan(20);
    const launch = launched();
    expect([launch.version, launch.isTrial]).toEqual(['1.1.0', true]);
    expectComplete(launch);
  });

  it.each(['switch', 'confirm'] as const)(
    'starts one of the two versions after a cut at any step of the %s',
    async work => {
      await prepareFor(work, program);
      const files = new ReleasesFolder(releases());
      const restore = checkpoint();
      const seen = new Set<string>();
      let isCut = true;
      let step = 1;
      for (; isCut; step++) {
        restore();
        isCut = await cutAt(step, work, program);
        // No start confirms the new version, so the last confirmed version runs in the end.
        const launches = Array.from({ length: 6 }, launched);
        for (const launch of new Map(launches.map(one => [one.version, one])).values()) expectComplete(launch);
        const { good } = files.read();
        expect(['1.1.0', '1.2.0']).toContain(good?.version);
        expect([step, launches.at(-1)?.version]).toEqual([step, good?.version]);
        seen.add(good?.version ?? '');
        expect(existsSync(files.releaseFolder(good?.release ?? ''))).toBe(true);
      }
      expect(step).toBeGreaterThan(4);
      expect([...seen]).toEqual(work === 'switch' ? ['1.1.0'] : ['1.1.0', '1.2.0']);
    },
  );
};

describe('Update of a controller whose power is cut', () => {
  describePowerCuts('controller');
});
describe('Update of a gateway whose power is cut', { tags: ['slow'] }, () => {
  describePowerCuts('gateway');
});

describe('cutAtDiskStep', () => {
  it.each(['install', 'switch', 'confirm'] as const)(
    'leaves the files that a killed process leaves during the %s',
    async work => {
      packaged('controller');
      // A small file, because the number of writes for a large file depends on timing.
      const archive = work === 'install' ? await archiveOf('1.1.0', 'controller', 100) : '';
      if (work !== 'install') await prepareFor(work, 'controller');
      const restore = checkpoint();
      let steps = 0;
      for (let isCut = true; isCut; steps++) {
        restore();
        isCut = await cutAt(steps + 1, work, 'controller', archive);
      }
      const samples = iterations({ sample: 1, all: 4 });
      for (let sample = 1; sample <= samples; sample++) {
        const step = Math.ceil((steps * sample) / (samples + 1));
        restore();
        expect(await cutAt(step, work, 'controller', archive)).toBe(true);
        const expected = filesOnDisk();
        restore();
        expect(await killAt(step, work, 'controller', archive)).toBe(true);
        expect([step, filesOnDisk()]).toEqual([step, expected]);
      }
    },
  );
});

const options = () => ({
  dataDir: join(folder, 'data'),
  releases: releases(),
  packageFolder: join(folder, 'package'),
  keys: folder,
});

interface Moment {
  readonly name: string;
  readonly hasCome: (program: LaunchedProgram, readiesBefore: number, version: string) => boolean;
}

const moments: readonly Moment[] = [
  { name: 'the update is requested', hasCome: () => true },
  { name: 'the trial is recorded', hasCome: ({ files }, _, version) => files.read().candidate?.version === version },
  { name: 'the new version serves', hasCome: ({ readies }, readiesBefore) => readies > readiesBefore },
  { name: 'the new version is confirmed', hasCome: ({ good }, _, version) => good === version },
];

const isSettled = ({ files }: LaunchedProgram): boolean => files.pending() === null && files.read().candidate === null;

/** Updates the program once for each moment, cuts its power then, and waits until it is usable again. */
const cutAtEachMoment = async (
  launchedProgram: LaunchedProgram,
  program: TestReleaseProduct,
  isUsable: () => Promise<boolean>,
): Promise<void> => {
  running = launchedProgram;
  const { files } = launchedProgram;
  for (const [index, { name, hasCome }] of moments.entries()) {
    await expect.poll(isUsable, { timeout: 60_000 }).toBe(true);
    const version = `1.${index + 1}.0`;
    const machine = { program, arch: 'amd64', version: '1.0.0', floor: '1.0.0' };
    const archive = await archiveOf(version, program);
    const installed = await verifyAndUnpackRelease(archive, { files, keys: readReleasePublicKeys(folder), machine });
    const { readies } = launchedProgram;
    files.setPending({ id: version, ...installed, rollout_id: null, before: null });
    await expect.poll(() => hasCome(launchedProgram, readies, version), { timeout: 60_000, message: name }).toBe(true);
    launchedProgram.cutPower();
    await expect.poll(isUsable, { timeout: 60_000, message: `usable after a cut when ${name}` }).toBe(true);
    await expect.poll(() => isSettled(launchedProgram), { timeout: 120_000, message: name }).toBe(true);
    expect([name, launchedProgram.last]).toEqual([name, `${version} confirmed`]);
  }
  await launchedProgram.stop();
};

describe('Power cuts during updates', { tags: ['slow'] }, () => {
  it('leave a controller that opens its door', async () => {
    packaged('controller');
    const { dataDir } = options();
    mkdirSync(dataDir, { mode: 0o700 });
    const device = createSimulatedController({ dataDir, log: () => undefined });
    const digests = new DeviceCredentialDigester(device.digestKey);
    const member = createMemberEntry(digests, 'mem_ann', { pins: ['2580'], groups: ['mg_all'] });
    const entries = [
      createDeviceEntry(),
      createSiteEntry(),
      createGadgetEntry({ id: 'gad_door' }),
      createMemberGroupEntry('mg_all', [{}]),
      member,
    ];
    await device.controller.receiveSnapshot(createSnapshotChunk(entries, 1, digests.keyId));
    await device.stop();
    const controller = new LaunchedController(options()).start();
    let openings = 0;
    const opens = async (): Promise<boolean> => {
      const isTyped = await controller.type('2580').then(
        () => true,
        () => false,
      );
      if (isTyped) openings++;
      return isTyped;
    };
    await cutAtEachMoment(controller, 'controller', opens);
    const buffer = openEventStore(dataDir);
    const uses = buffer.read(0, Number.MAX_SAFE_INTEGER, 1_000_000).filter(({ kind }) => kind === 'use');
    buffer.close();
    expect(uses.length).toBeGreaterThanOrEqual(openings);
  });

  it('leave a gateway that accepts connections', async () => {
    packaged('gateway');
    const gateway = new LaunchedGateway(options()).start();
    const acceptsConnections = async (): Promise<boolean> => {
      try {
        const { addresses } = await gateway.status();
        const socket = connect({ host: '127.0.0.1', port: Number(new URL(addresses.mqtt ?? '').port) });
        await once(socket, 'connect');
        socket.destroy();
        return true;
      } catch {
        return false;
      }
    };
    await cutAtEachMoment(gateway, 'gateway', acceptsConnections);
  });
});
