import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PrepareProblem } from '../prepare-problem.ts';
import { type ArchiveFile, indexOf, packageIn } from './debian-index.ts';
import { type Suite, SUITE_FILE, wantedPackages } from './wanted-packages.ts';

/** Answers the bytes of an address; throws where it does not answer. */
export type Fetch = (url: string) => Promise<Uint8Array>;

export interface FetchOrder {
  readonly suite: Suite;
  readonly folder: string;
  readonly mirror: string;
}

export const DEBIAN = 'https://deb.debian.org/debian';

const TIMEOUT_MS = 120_000;

export const fetchBytes: Fetch = async url => {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

const isThat = (bytes: Uint8Array, { size, sha256 }: ArchiveFile): boolean =>
  bytes.length === size && createHash('sha256').update(bytes).digest('hex') === sha256;

const kept = (path: string, file: ArchiveFile): boolean => existsSync(path) && isThat(readFileSync(path), file);

const fetched = async (get: Fetch, mirror: string, path: string): Promise<Uint8Array> => {
  try {
    return await get(`${mirror}/${path}`);
  } catch (error) {
    throw new PrepareProblem(`${mirror}/${path} could not be fetched: ${(error as Error).message}`);
  }
};

const checked = async (get: Fetch, mirror: string, file: ArchiveFile): Promise<Uint8Array> => {
  const bytes = await fetched(get, mirror, file.path);
  if (!isThat(bytes, file)) throw new PrepareProblem(`${mirror}/${file.path} is not what the archive's index says`);
  return bytes;
};

/** From the release over the index to each file, each named by the digest in the one before. */
export const fetchPackages = async ({ suite, folder, mirror }: FetchOrder, get: Fetch): Promise<string[]> => {
  const release = Buffer.from(await fetched(get, mirror, `dists/${suite}/InRelease`)).toString();
  const indexFile = indexOf(release, suite);
  if (indexFile === null) throw new PrepareProblem(`${mirror} has no ${suite} for arm64`);
  const index = gunzipSync(await checked(get, mirror, indexFile)).toString();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, SUITE_FILE), `${suite}\n`);
  const files: string[] = [];
  for (const name of wantedPackages[suite]) {
    const file = packageIn(index, name);
    if (file === null) throw new PrepareProblem(`${mirror} has no ${name} in ${suite}`);
    const path = join(folder, basename(file.path));
    if (!kept(path, file)) {
      writeFileSync(`${path}.new`, await checked(get, mirror, file));
      renameSync(`${path}.new`, path);
    }
    files.push(path);
  }
  return files;
};
