import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { buildDebianPackage } from '../debian-package/build-package.ts';
import { type DebControlFields, readDebControlFields } from '../debian-package/read-deb-package.ts';
import { readReleaseKeyFiles } from '../debian-package/release-key-files.ts';
import type { ControllerLabelData } from '../labels/label-data.ts';
import { readProfileForSdCard } from '../sd-card/profile-requirements.ts';
import { requireValidSdCardClaimOptions } from '../sd-card/claim-options.ts';
import { readSshPublicKeys } from '../sd-card/ssh-public-keys.ts';
import { assembleSdCardImage } from './assemble-image.ts';
import type { ImageSettings } from './parse-image-build-options.ts';
import { requireImageBuildHost } from './image-build-host-tools.ts';
import { createImagePartitions } from './create-image-partitions.ts';
import { listImagePackages } from './list-image-debian-packages.ts';
import { writeImageRootFiles } from './per-image-root-files.ts';
import { writeImageInitialData } from './image-initial-data.ts';

const MIB = 2 ** 20;
const NEEDED_BYTES = { work: 2500 * MIB, out: 1000 * MIB };
/** Independent of the clock, so that the same packages give the same image. */
const EPOCH = Date.parse('2026-01-01T00:00:00Z') / 1000;

export interface BuiltSdCardImage {
  readonly file: string;
  readonly architecture: string;
  readonly bytes: number;
  readonly root_bytes: number;
  readonly sha256: string;
  readonly kernel: string;
  readonly packages: readonly string[];
  readonly label: ControllerLabelData | null;
}

const epochOf = (given: string | undefined): number => {
  if (given === undefined) return EPOCH;
  if (!/^\d{1,10}$/.test(given)) throw new Error('SOURCE_DATE_EPOCH must be a number of seconds');
  return Number(given);
};

const requireFolder = (folder: string): void => {
  if (!existsSync(folder)) throw new Error(`${folder} does not exist`);
};

const requireSpace = (folder: string, needed: number): void => {
  requireFolder(folder);
  const { bavail, bsize } = statfsSync(folder);
  const [free, wanted] = [bavail * bsize, needed].map(bytes => Math.round(bytes / MIB));
  if (free! < wanted!) throw new Error(`${folder} has ${free} MiB left, the build needs ${wanted} MiB there`);
};

const checkPackage = (
  { name, architecture }: Partial<DebControlFields>,
  { packageFile, ...wanted }: ImageSettings,
): void => {
  if (name !== 'lintel-controller' || architecture !== wanted.architecture)
    throw new Error(
      `--package ${packageFile} is ${name} for ${architecture}, but lintel-controller for ${wanted.architecture} is required`,
    );
};

/** Checks everything that can be wrong before the long work begins. */
const readInputs = async (settings: ImageSettings) => {
  const { overlay, packageFile } = settings;
  const profile = readProfileForSdCard(settings.profile);
  if (settings.claim !== null) requireValidSdCardClaimOptions(settings.claim);
  const sshKeys = settings.sshKey === null ? null : readSshPublicKeys(settings.sshKey);
  const epoch = epochOf(process.env['SOURCE_DATE_EPOCH']);
  const releaseKeys = settings.releaseKeys === null ? [] : readReleaseKeyFiles(settings.releaseKeys, 'controller');
  if (overlay !== null && !statSync(overlay, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`--overlay: Not a directory: ${overlay}`);
  requireSpace(dirname(settings.out), NEEDED_BYTES.out);
  if (settings.label !== null) requireFolder(dirname(settings.label));
  if (packageFile !== null) checkPackage((await readDebControlFields(packageFile)) ?? {}, settings);
  requireImageBuildHost();
  return { profile, profileText: readFileSync(settings.profile, 'utf8'), sshKeys, epoch, releaseKeys };
};

type Inputs = Awaited<ReturnType<typeof readInputs>>;

/** Depends only on what goes into the image, so that the image is reproducible. */
const signatureOf = ({ profileText, epoch, releaseKeys }: Inputs, packageFile: string): string => {
  const hash = createHash('sha256');
  const keys = releaseKeys.flatMap(({ path, text }) => [path, text]);
  for (const content of [profileText, readFileSync(packageFile), String(epoch), ...keys])
    hash.update(content).update('\0');
  return hash.digest('hex').slice(0, 8);
};

const buildIn = async (
  work: string,
  settings: ImageSettings,
  inputs: Inputs,
  log: (line: string) => void,
): Promise<BuiltSdCardImage> => {
  const { architecture, out, sizeBytes } = settings;
  const { profile, profileText, sshKeys, epoch, releaseKeys } = inputs;
  if (settings.packageFile === null) log('Building the controller package');
  const ownPackage = { program: 'controller', arch: architecture, outDir: work, epoch } as const;
  const packageFile = settings.packageFile ?? (await buildDebianPackage(ownPackage)).file;
  const signature = signatureOf(inputs, packageFile);
  const label = await writeImageInitialData(join(work, 'seed'), {
    profile,
    claim: settings.claim,
    hasLabel: settings.label !== null,
    now: Date.now(),
  });
  const hostname = label?.name ?? 'lintel';
  writeImageRootFiles(join(work, 'root'), { signature, hostname, profile: profileText, releaseKeys, sshKeys });
  const depends = (await readDebControlFields(packageFile))?.depends ?? '';
  const wanted = listImagePackages(architecture, { hasSsh: sshKeys !== null, depends });
  log(`Unpacking ${wanted.length} Debian packages and their dependencies`);
  const onLine = (line: string): void => log(`  ${line}`);
  await createImagePartitions({ settings, packages: wanted, signature, packageFile, work, epoch, onLine });
  const made = (name: string): string => join(work, 'partitions', name);
  const partitions = [
    { file: made('boot.img'), type: architecture === 'arm64' ? 'c' : 'ef' },
    { file: made('root.img'), type: '83' },
    { file: made('data.img'), type: '83' },
  ];
  const { bytes, sha256 } = await assembleSdCardImage(out, { signature, partitions, sizeBytes });
  const packages = readFileSync(made('packages'), 'utf8');
  writeFileSync(`${out}.sha256`, `${sha256}  ${basename(out)}\n`);
  writeFileSync(`${out}.packages`, packages);
  return {
    file: out,
    architecture,
    bytes,
    root_bytes: statSync(made('root.img')).size,
    sha256,
    packages: packages.trim().split('\n'),
    kernel: readFileSync(made('kernel'), 'utf8').trim(),
    label,
  };
};

export const buildSdCardImage = async (
  settings: ImageSettings,
  log: (line: string) => void,
): Promise<BuiltSdCardImage> => {
  const inputs = await readInputs(settings);
  const work = mkdtempSync(join(tmpdir(), 'lintel-image-'));
  // Contains secrets, so it is deleted also when the build is interrupted.
  const deleteWork = (): void => rmSync(work, { recursive: true, force: true });
  process.once('exit', deleteWork);
  try {
    requireSpace(work, NEEDED_BYTES.work);
    return await buildIn(work, settings, inputs, log);
  } finally {
    process.off('exit', deleteWork);
    deleteWork();
  }
};
