import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { clone } from './clone.ts';
import { controlFiles, type DebianArch, installedSize } from './control-files.ts';
import { debArchive } from './deb-archive.ts';
import { packageTree } from './package-contents.ts';
import { type ProgramName, programs } from './programs.ts';
import { filesBelow } from './static-files.ts';

export interface PackageOptions {
  readonly program: ProgramName;
  readonly arch: DebianArch;
  readonly outDir: string;
  /** Instead of the project's own: for trying an update. */
  readonly version?: string;
  /** Folder of the public keys (`*.pub`) whose releases it takes. */
  readonly releaseKeys?: string;
  /** Seconds, the time that every file has. */
  readonly epoch?: number;
}

export interface BuiltPackage {
  readonly program: ProgramName;
  readonly file: string;
  readonly version: string;
  readonly arch: DebianArch;
  readonly size: number;
  /** Once it is installed, in bytes. */
  readonly installed_size: number;
  readonly sha256: string;
}

/** Not the time of the build, nor of a commit: the same sources make the same package wherever they lie. */
const EPOCH = Date.parse('2026-01-01T00:00:00Z') / 1000;

const versionIn = (path: string): string =>
  (JSON.parse(readFileSync(join(clone, path), 'utf8')) as { version: string }).version;

/** Debian sorts `~` before everything, so that a candidate is older than what it becomes. */
const debianVersion = (version: string): string => version.replace('-', '~');

/** Writes NAME_VERSION_ARCH.deb, which appears there when it is whole. */
export const buildPackage = async (options: PackageOptions): Promise<BuiltPackage> => {
  const { program, arch, outDir, epoch = EPOCH } = options;
  const parts = programs[program];
  const version = options.version ?? versionIn(parts.versionFrom);
  const bundled = await bundle(parts.bundled, parts.addons);
  const tree = await packageTree({ parts, arch, version, bundled, releaseKeys: options.releaseKeys ?? null });
  const facts = { ...parts, arch, version: debianVersion(version) };
  const control = controlFiles(facts, tree, filesBelow(`${parts.folder}/debian`));
  const archive = await debArchive(control, tree, epoch);
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
    installed_size: installedSize(tree) * 1024,
    sha256: createHash('sha256').update(archive).digest('hex'),
  };
};
