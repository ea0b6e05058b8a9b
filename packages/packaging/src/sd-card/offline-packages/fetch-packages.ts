import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { reportNothing } from '@lintel/service/command-line/progress';
import { SdCardPreparationError } from '../sd-card-preparation-error.ts';
import { type DebianArchiveFile, findPackageInIndex, findDebianIndexFile } from './debian-index.ts';
import { type DebianSuite, DEBIAN_SUITE_FILE, cardReaderPackageNames } from './debian-suites-and-package-names.ts';

/** Returns the body of the response, throws when there is none. */
export type FetchBytes = (url: string) => Promise<Uint8Array>;

interface PackageSource {
  readonly suite: DebianSuite;
  /** Where the packages are written. */
  readonly folder: string;
  readonly mirror: string;
}

export const DEBIAN_MIRROR = 'https://deb.debian.org/debian';

const TIMEOUT_MS = 120_000;

export const fetchBytes: FetchBytes = async url => {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

const matches = (bytes: Uint8Array, { size, sha256 }: DebianArchiveFile): boolean =>
  bytes.length === size && createHash('sha256').update(bytes).digest('hex') === sha256;

/** Several times that of Debian. */
const MAX_INDEX_BYTES = 2 ** 28;

/** The release file declares the checksum of the index, the index those of the packages. */
export const fetchDebianPackages = async (
  source: PackageSource,
  get: FetchBytes,
  report = reportNothing,
): Promise<string[]> => {
  const { suite, folder, mirror } = source;
  const download = async (path: string): Promise<Uint8Array> => {
    try {
      return await get(`${mirror}/${path}`);
    } catch (error) {
      throw new SdCardPreparationError(`${mirror}/${path} could not be fetched: ${(error as Error).message}`);
    }
  };
  const downloadChecked = async (file: DebianArchiveFile): Promise<Uint8Array> => {
    const bytes = await download(file.path);
    if (!matches(bytes, file))
      throw new SdCardPreparationError(`${mirror}/${file.path} is not what the archive's index says`);
    return bytes;
  };
  report('Downloading the index of Debian');
  const indexFile = findDebianIndexFile(Buffer.from(await download(`dists/${suite}/InRelease`)).toString(), suite);
  if (indexFile === null) throw new SdCardPreparationError(`${mirror} has no ${suite} for arm64`);
  const index = gunzipSync(await downloadChecked(indexFile), { maxOutputLength: MAX_INDEX_BYTES }).toString();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, DEBIAN_SUITE_FILE), `${suite}\n`);
  const files: string[] = [];
  const names = cardReaderPackageNames[suite];
  for (const name of names) {
    report('Downloading packages', files.length, names.length);
    const file = findPackageInIndex(index, name);
    if (file === null) throw new SdCardPreparationError(`${mirror} has no ${name} in ${suite}`);
    const path = join(folder, basename(file.path));
    if (!existsSync(path) || !matches(readFileSync(path), file)) {
      writeFileSync(`${path}.new`, await downloadChecked(file));
      renameSync(`${path}.new`, path);
    }
    files.push(path);
  }
  return files;
};
