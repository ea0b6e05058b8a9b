import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { readRelease, type VerifiedRelease } from './release-files/read-release.ts';
import type { ReleaseKeys } from './release-files/release-keys.ts';
import { ReleaseError } from './release-files/release-error.ts';
import { piecesOf } from './release-files/write-release.ts';
import { type Machine, refusalFor } from '@lintel/wire-protocol/updates/release-acceptance';
import { type ReleaseFile, type ReleaseManifest, unpackedSize } from '@lintel/wire-protocol/updates/release-manifest';
import { type ProgramFacts, RELEASE_FILE, type SlotFiles } from './slot-files.ts';

/** What is left on the disk beside a release: a door has to write its events, a gateway what it carries. */
const SPARE_BYTES = 32 * 1024 * 1024;

export interface InstallParts {
  readonly files: SlotFiles;
  readonly keys: ReleaseKeys;
  readonly machine: Machine;
  /** Of the disk that the releases are on. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

export interface Installed {
  /** The name of its folder. */
  readonly release: string;
  readonly version: string;
}

const freeOn = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;

export const requireRoom = async (
  { files, freeBytes = freeOn }: Pick<InstallParts, 'files' | 'freeBytes'>,
  needed: number,
): Promise<void> => {
  await mkdir(files.folder, { recursive: true, mode: 0o755 });
  const free = await freeBytes(files.folder);
  if (free >= needed + SPARE_BYTES) return;
  const words = `${megabytes(needed)} are needed and ${megabytes(free)} are free on the disk of ${files.folder}`;
  throw new ReleaseError('no_room', words);
};

const flushed = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** On the disk when it returns. */
const written = async (path: string, mode: number, pieces: AsyncIterable<Uint8Array>): Promise<void> => {
  const handle = await open(path, 'wx', mode);
  try {
    for await (const piece of pieces) await handle.write(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const unpackFile = async (folder: string, file: ReleaseFile, stored: AsyncIterable<Buffer>): Promise<void> => {
  const path = join(folder, file.path);
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  const hash = createHash('sha256');
  let size = 0;
  const counted = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      size += piece.length;
      if (size > file.size) throw new ReleaseError('damaged', `${file.path} is larger than was signed`);
      hash.update(piece);
      yield piece;
    }
  };
  try {
    await pipeline(stored, createGunzip(), pieces =>
      written(path, file.is_executable ? 0o755 : 0o644, counted(pieces as AsyncIterable<Buffer>)),
    );
  } catch (error) {
    if (error instanceof ReleaseError || (error as NodeJS.ErrnoException).code?.startsWith('Z_') !== true) throw error;
    throw new ReleaseError('damaged', `${file.path} cannot be unpacked`, { cause: error });
  }
  if (size !== file.size || hash.digest('hex') !== file.sha256)
    throw new ReleaseError('damaged', `${file.path} is not what was signed`);
};

const foldersOf = ({ files }: ReleaseManifest): readonly string[] => {
  const folders = new Set<string>(['.']);
  for (const { path } of files)
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  return [...folders];
};

const factsOf = ({ program, version, arch, entry }: ReleaseManifest): ProgramFacts => ({
  program,
  version,
  arch,
  entry,
});

/** Unpacked beside, flushed, and moved to its name in one step: there is never half a release of that name. */
const unpack = async (archive: string, parts: InstallParts, verified: VerifiedRelease, name: string): Promise<void> => {
  const { files, keys } = parts;
  const staging = join(files.folder, 'staging');
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true, mode: 0o755 });
  const take = (file: ReleaseFile, stored: AsyncIterable<Buffer>): Promise<void> => unpackFile(staging, file, stored);
  const again = await readRelease(piecesOf(archive), keys, { take });
  if (again.sha256 !== verified.sha256) throw new ReleaseError('damaged', 'the archive was changed while it was read');
  const facts = Buffer.from(`${JSON.stringify(factsOf(verified.manifest))}\n`);
  await written(
    join(staging, RELEASE_FILE),
    0o644,
    (async function* () {
      yield facts;
    })(),
  );
  for (const folder of foldersOf(verified.manifest)) await flushed(join(staging, folder));
  const target = files.releaseFolder(name);
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await rename(staging, target);
  await flushed(dirname(target));
};

/** Its signature, its bytes and whether it fits this machine: all of it, before anything is written. */
const verifyFor = async (
  archive: string,
  { files, keys, machine, freeBytes }: InstallParts,
): Promise<VerifiedRelease> =>
  readRelease(piecesOf(archive), keys, {
    judge: async manifest => {
      if (manifest.files.some(({ path }) => path === RELEASE_FILE))
        throw new ReleaseError('damaged', `a release must not bring a ${RELEASE_FILE} of its own`);
      const refusal = refusalFor(manifest, machine);
      if (refusal !== null) throw new ReleaseError(refusal.code, refusal.message);
      files.prune();
      await requireRoom({ files, ...(freeBytes === undefined ? {} : { freeBytes }) }, unpackedSize(manifest));
    },
  });

/** Of its folder: two archives of one version are two releases. */
export const releaseName = (version: string, sha256: string): string => `${version}-${sha256.slice(0, 16)}`;

/** Throws a ReleaseError, and then nothing has changed. */
export const installRelease = async (
  archive: string,
  parts: InstallParts,
  expected?: { readonly sha256: string; readonly version: string },
): Promise<Installed> => {
  const verified = await verifyFor(archive, parts);
  const { version } = verified.manifest;
  if (expected !== undefined && (verified.sha256 !== expected.sha256 || version !== expected.version))
    throw new ReleaseError('not_ordered', 'the archive is a good release, but not the one that was ordered');
  const release = releaseName(version, verified.sha256);
  if (!parts.files.isThere(release)) {
    await rm(parts.files.releaseFolder(release), { recursive: true, force: true });
    try {
      await unpack(archive, parts, verified, release);
    } catch (error) {
      await rm(join(parts.files.folder, 'staging'), { recursive: true, force: true });
      throw error;
    }
  }
  return { release, version };
};
