import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { flushFolder } from '@lintel/service/data-folder/flush-folder';
import { getErrorCode } from '@lintel/service/error-code';
import { readRelease, type VerifiedRelease } from './release-files/read-release.ts';
import type { ReleasePublicKeys } from './release-files/release-keys.ts';
import { ReleaseError } from './release-files/release-error.ts';
import { openReleaseFile } from './release-files/write-release.ts';
import { type UpdateTargetMachine, findReleaseRejection } from '@lintel/wire-protocol/updates/release-rejection';
import {
  type ReleaseManifestFile,
  type ReleaseManifest,
  computeUnpackedSize,
} from '@lintel/wire-protocol/updates/release-manifest';
import { type ProgramDescription, RELEASE_DESCRIPTION_FILE, type ReleasesFolder } from './releases-folder.ts';

/** Disk space that an update leaves free for events and messages. */
const RESERVED_BYTES = 32 * 1024 * 1024;

export interface UnpackReleaseDependencies {
  readonly files: ReleasesFolder;
  readonly keys: ReleasePublicKeys;
  readonly machine: UpdateTargetMachine;
  /** Free bytes on the disk of the folder. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

export interface UnpackedRelease {
  /** Name of its folder. */
  readonly release: string;
  readonly version: string;
}

const freeBytesOn = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;

export const requireFreeSpaceForRelease = async (
  { files, freeBytes = freeBytesOn }: Pick<UnpackReleaseDependencies, 'files' | 'freeBytes'>,
  needed: number,
): Promise<void> => {
  await mkdir(files.folder, { recursive: true, mode: 0o755 });
  const free = await freeBytes(files.folder);
  if (free >= needed + RESERVED_BYTES) return;
  const message = `The disk of ${files.folder} has ${megabytes(free)} free, the release needs ${megabytes(needed)}`;
  throw new ReleaseError('no_room', message);
};

/** Flushes the file to the disk. */
const writeFile = async (path: string, mode: number, chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  const handle = await open(path, 'wx', mode);
  try {
    for await (const chunk of chunks) await handle.write(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const unpackFile = async (folder: string, file: ReleaseManifestFile, stored: AsyncIterable<Buffer>): Promise<void> => {
  const path = join(folder, file.path);
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  const hash = createHash('sha256');
  let size = 0;
  const measured = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > file.size) throw new ReleaseError('damaged', `${file.path} is larger than its signed size`);
      hash.update(chunk);
      yield chunk;
    }
  };
  try {
    await pipeline(stored, createGunzip(), chunks =>
      writeFile(path, file.is_executable ? 0o755 : 0o644, measured(chunks as AsyncIterable<Buffer>)),
    );
  } catch (error) {
    if (error instanceof ReleaseError || !getErrorCode(error).startsWith('Z_')) throw error;
    throw new ReleaseError('damaged', `${file.path} cannot be unpacked`, { cause: error });
  }
  if (size !== file.size || hash.digest('hex') !== file.sha256)
    throw new ReleaseError('damaged', `${file.path} does not match its signed checksum`);
};

const foldersOf = ({ files }: ReleaseManifest): readonly string[] => {
  const folders = new Set<string>(['.']);
  for (const { path } of files)
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  return [...folders];
};

const factsOf = ({ program, version, arch, entry }: ReleaseManifest): ProgramDescription => ({
  program,
  version,
  arch,
  entry,
});

/** Unpacks into a staging folder, flushes and renames it, so that a release folder is always complete. */
const unpack = async (
  archive: string,
  deps: UnpackReleaseDependencies,
  verified: VerifiedRelease,
  name: string,
): Promise<void> => {
  const { files, keys } = deps;
  const staging = join(files.folder, 'staging');
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true, mode: 0o755 });
  const onFile = (file: ReleaseManifestFile, stored: AsyncIterable<Buffer>): Promise<void> =>
    unpackFile(staging, file, stored);
  const unpacked = await readRelease(openReleaseFile(archive), keys, { onFile });
  if (unpacked.sha256 !== verified.sha256)
    throw new ReleaseError('damaged', 'The archive changed while it was being read');
  const facts = Buffer.from(`${JSON.stringify(factsOf(verified.manifest))}\n`);
  await writeFile(
    join(staging, RELEASE_DESCRIPTION_FILE),
    0o644,
    (async function* () {
      yield facts;
    })(),
  );
  for (const folder of foldersOf(verified.manifest)) await flushFolder(join(staging, folder));
  const target = files.releaseFolder(name);
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await rename(staging, target);
  await flushFolder(dirname(target));
};

/** Checks signature, contents and compatibility with this machine before anything is written. */
const verifyRelease = async (
  archive: string,
  { files, keys, machine, freeBytes }: UnpackReleaseDependencies,
): Promise<VerifiedRelease> =>
  readRelease(openReleaseFile(archive), keys, {
    checkManifest: async manifest => {
      if (manifest.files.some(({ path }) => path === RELEASE_DESCRIPTION_FILE))
        throw new ReleaseError('damaged', `A release must not contain its own ${RELEASE_DESCRIPTION_FILE}`);
      const refusal = findReleaseRejection(manifest, machine);
      if (refusal !== null) throw new ReleaseError(refusal.code, refusal.message);
      files.prune();
      await requireFreeSpaceForRelease(
        { files, ...(freeBytes === undefined ? {} : { freeBytes }) },
        computeUnpackedSize(manifest),
      );
    },
  });

/** Contains the checksum, because two archives of one version are two releases. */
export const buildReleaseFolderName = (version: string, sha256: string): string => `${version}-${sha256.slice(0, 16)}`;

/** Leaves the installed releases unchanged when it throws a ReleaseError. */
export const verifyAndUnpackRelease = async (
  archive: string,
  deps: UnpackReleaseDependencies,
  expected?: { readonly sha256: string; readonly version: string },
): Promise<UnpackedRelease> => {
  const verified = await verifyRelease(archive, deps);
  const { version } = verified.manifest;
  if (expected !== undefined && (verified.sha256 !== expected.sha256 || version !== expected.version))
    throw new ReleaseError('not_ordered', 'The archive is valid, but not the requested release');
  const release = buildReleaseFolderName(version, verified.sha256);
  if (!deps.files.hasRelease(release)) {
    await rm(deps.files.releaseFolder(release), { recursive: true, force: true });
    try {
      await unpack(archive, deps, verified, release);
    } catch (error) {
      await rm(join(deps.files.folder, 'staging'), { recursive: true, force: true });
      throw error;
    }
  }
  return { release, version };
};
