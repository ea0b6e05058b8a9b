import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReportProgress, reportNothing } from '@lintel/service/command-line/progress';
import { bundleProgram } from './bundle-program.ts';
import { repositoryRoot } from './repository-root.ts';
import { createDebianControlFiles, type DebianArch, computeDebianInstalledSize } from './control-files.ts';
import { createDebArchive } from './deb-archive.ts';
import { buildDebianPackageTree, keyFiles } from './build-package-tree.ts';
import { type ProgramName, debianPackagesByProgram } from './debian-package-definitions.ts';
import { readRepositoryFolder } from './read-folder-as-package-tree.ts';

export interface DebianPackageOptions {
  readonly program: ProgramName;
  readonly arch: DebianArch;
  readonly outDir: string;
  /** Default: the version of the program. */
  readonly version?: string;
  /** Folder of the public keys (`*.pub`) whose releases the program accepts. */
  readonly releaseKeys?: string;
  /** Time of all files, in seconds. */
  readonly epoch?: number;
  readonly report?: ReportProgress;
}

export interface BuiltDebianPackage {
  readonly program: ProgramName;
  readonly file: string;
  readonly version: string;
  readonly arch: DebianArch;
  readonly size: number;
  /** In bytes. */
  readonly installed_size: number;
  readonly sha256: string;
}

/** Independent of clock and commit, so that the same sources give the same package. */
const EPOCH = Date.parse('2026-01-01T00:00:00Z') / 1000;

const STEPS = 4;

const versionIn = (path: string): string =>
  (JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8')) as { version: string }).version;

/** Debian sorts `~` before everything, so that a release candidate is older than the release. */
const debianVersion = (version: string): string => version.replace('-', '~');

/** Writes NAME_VERSION_ARCH.deb, which gets its name when it is complete. */
export const buildDebianPackage = async (options: DebianPackageOptions): Promise<BuiltDebianPackage> => {
  const { program, arch, outDir, epoch = EPOCH, report = reportNothing } = options;
  const parts = debianPackagesByProgram[program];
  const version = options.version ?? versionIn(parts.versionFrom);
  const step = (done: number, name: string): void => report(`lintel-${program} ${arch}: ${name}`, done, STEPS);
  // Wrong keys are refused before the long work.
  keyFiles(options.releaseKeys ?? null, program);
  step(0, 'bundling the program');
  const bundled = await bundleProgram(parts.bundled, parts.addons);
  step(1, 'collecting files');
  const tree = await buildDebianPackageTree({
    parts,
    arch,
    version,
    bundled,
    releaseKeys: options.releaseKeys ?? null,
  });
  const facts = { ...parts, arch, version: debianVersion(version) };
  const control = createDebianControlFiles(facts, tree, readRepositoryFolder(`${parts.folder}/debian`));
  step(2, 'compressing');
  const archive = await createDebArchive(control, tree, epoch);
  step(3, 'writing');
  mkdirSync(outDir, { recursive: true });
  const file = join(outDir, `${parts.name}_${facts.version}_${arch}.deb`);
  writeFileSync(`${file}.${process.pid}`, archive);
  renameSync(`${file}.${process.pid}`, file);
  return {
    program,
    file,
    version,
    arch,
    size: archive.length,
    installed_size: computeDebianInstalledSize(tree) * 1024,
    sha256: createHash('sha256').update(archive).digest('hex'),
  };
};
