import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LabelFacts } from '../labels/label-facts.ts';
import { buildPackage } from '../debian-package/build-package.ts';
import { releaseKeyFiles } from '../debian-package/release-key-files.ts';
import { readProfile } from '../sd-card/profile-fit.ts';
import { checkClaim } from '../sd-card/queued-claim.ts';
import { readSshKeys } from '../sd-card/ssh-key.ts';
import type { BuildSettings } from './build-settings.ts';
import { composeImage } from './compose-image.ts';
import { debianRoot } from './debian-root.ts';
import { checkGivenPackage, fieldOf } from './given-package.ts';
import { requireTools } from './host-tools.ts';
import { packageList } from './package-list.ts';
import { laidOut } from './partition-table.ts';
import type { RootPlan } from './root-plan.ts';
import { fillSeed } from './seed-folder.ts';

const systemDir = fileURLToPath(new URL('../../files/system', import.meta.url));
const MIB = 2 ** 20;
const DATA_BYTES = 128 * MIB;
const NEEDED_BYTES = { work: 2500 * MIB, out: 1000 * MIB };
/** The sources' time and not the clock's: the same packages make the same image. */
const EPOCH = Date.parse('2026-01-01T00:00:00Z') / 1000;

export interface BuiltImage {
  readonly file: string;
  readonly architecture: string;
  readonly bytes: number;
  readonly root_bytes: number;
  readonly sha256: string;
  readonly kernel: string;
  readonly packages: readonly string[];
  readonly label: LabelFacts | null;
}

const epochOf = (env: NodeJS.ProcessEnv): number => {
  const given = env['SOURCE_DATE_EPOCH'];
  if (given === undefined) return EPOCH;
  if (!/^\d{1,10}$/.test(given)) throw new Error('SOURCE_DATE_EPOCH must be a number of seconds');
  return Number(given);
};

const requireFolder = (folder: string): void => {
  if (!existsSync(folder)) throw new Error(`${folder} does not exist`);
};

const requireRoom = (folder: string, needed: number): void => {
  requireFolder(folder);
  const { bavail, bsize } = statfsSync(folder);
  const [free, wanted] = [bavail * bsize, needed].map(bytes => Math.round(bytes / MIB));
  if (free! < wanted!) throw new Error(`${folder} has ${free} MiB left, the build needs ${wanted} MiB there`);
};

/** The same for the same content, so that the image is; another for every other. */
const signatureOf = (...contents: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content).update('\0');
  return hash.digest('hex').slice(0, 8);
};

const checkOverlay = (overlay: string | null): void => {
  if (overlay !== null && !statSync(overlay, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`--overlay ${overlay} is no folder`);
};

/** Where the work is done: `/tmp` may be in memory. */
const workFolder = (): string => mkdtempSync(join(process.env['TMPDIR'] ?? tmpdir(), 'lintel-image-'));

/** Everything that can be wrong is looked at before the long work begins. */
export const buildImage = async (settings: BuildSettings, say: (line: string) => void): Promise<BuiltImage> => {
  const { architecture, out, overlay } = settings;
  const profile = readProfile(settings.profile);
  if (settings.claim !== null) checkClaim(settings.claim);
  const sshKey = settings.sshKey === null ? null : readSshKeys(settings.sshKey);
  const epoch = epochOf(process.env);
  // Beside the package and not in it, so that one that was given has them too.
  const releaseKeys = settings.releaseKeys === null ? [] : releaseKeyFiles(settings.releaseKeys, 'controller');
  checkOverlay(overlay);
  requireRoom(dirname(out), NEEDED_BYTES.out);
  if (settings.label !== null) requireFolder(dirname(settings.label));
  if (settings.packageFile !== null) await checkGivenPackage(settings.packageFile, architecture);
  requireTools();
  const work = workFolder();
  const tidyUp = (): void => rmSync(work, { recursive: true, force: true });
  // Secrets may be in it: it goes also when the build is broken off.
  process.once('exit', tidyUp);
  try {
    requireRoom(work, NEEDED_BYTES.work);
    if (settings.packageFile === null) say('building the controller package');
    const own = { program: 'controller', arch: architecture, outDir: work, epoch } as const;
    const packageFile = settings.packageFile ?? (await buildPackage(own)).file;
    const seedDir = join(work, 'seed');
    const hasLabel = settings.label !== null;
    const label = await fillSeed(seedDir, { profile, claim: settings.claim, hasLabel, now: Date.now() });
    const profileText = readFileSync(settings.profile, 'utf8');
    const signature = signatureOf(
      profileText,
      readFileSync(packageFile),
      String(epoch),
      ...releaseKeys.flatMap(({ path, text }) => [path, text]),
    );
    const plan: RootPlan = {
      architecture,
      signature,
      epoch,
      packageFile,
      profile: profileText,
      releaseKeys,
      sshKey,
      seedDir,
      hostname: label?.name ?? 'lintel',
      overlay,
      systemDir,
      dataBytes: DATA_BYTES,
    };
    const planFile = join(work, 'plan.json');
    writeFileSync(planFile, JSON.stringify(plan));
    const packages = packageList(architecture, {
      hasSsh: sshKey !== null,
      depends: await fieldOf(packageFile, 'Depends'),
    });
    say(`unpacking ${packages.length} packages of Debian and what they need`);
    const pieces = join(work, 'pieces');
    await debianRoot({ ...settings, packages, planFile, out: pieces, epoch, onLine: line => say(`  ${line}`) });
    return await composed(settings, plan, pieces, label);
  } finally {
    process.off('exit', tidyUp);
    tidyUp();
  }
};

const composed = async (
  settings: BuildSettings,
  plan: RootPlan,
  pieces: string,
  label: LabelFacts | null,
): Promise<BuiltImage> => {
  const { out, architecture, sizeBytes } = settings;
  const piece = (name: string) => ({ file: join(pieces, name), bytes: statSync(join(pieces, name)).size });
  const [boot, root, data] = [piece('boot.img'), piece('root.img'), piece('data.img')];
  const parts = [
    { ...boot, type: architecture === 'arm64' ? 0x0c : 0xef, isActive: true },
    { ...root, type: 0x83 },
    { ...data, type: 0x83 },
  ];
  const { partitions, totalBytes } = laidOut(parts);
  if (sizeBytes !== null && sizeBytes < totalBytes)
    throw new Error(`--size is too small: the image needs ${Math.ceil(totalBytes / MIB)} MiB`);
  const bytes = sizeBytes ?? totalBytes;
  const placed = partitions.map((partition, index) => ({ ...partition, file: parts[index]!.file }));
  const sha256 = await composeImage(out, Number.parseInt(plan.signature, 16), placed, bytes);
  const facts = JSON.parse(readFileSync(join(pieces, 'facts.json'), 'utf8')) as Pick<BuiltImage, 'packages' | 'kernel'>;
  writeFileSync(`${out}.sha256`, `${sha256}  ${basename(out)}\n`);
  writeFileSync(`${out}.packages`, facts.packages.map(line => `${line}\n`).join(''));
  return { file: out, architecture, bytes, root_bytes: root.bytes, sha256, ...facts, label };
};
