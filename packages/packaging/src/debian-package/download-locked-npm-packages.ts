import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { repositoryRoot } from './repository-root.ts';
import {
  type LockedNpmPackage,
  payloadLockFile,
  requireLockedNpmPackage,
  readPayloadVersionsOfRepository,
} from './payload-lock.ts';

interface Versioned {
  readonly name: string;
  readonly version: string;
}

export interface NpmPackageSource {
  /** Cache of downloaded packages. */
  readonly folder: string;
  readonly findLockedPayload: (name: string) => LockedNpmPackage;
  readonly fetch: (wanted: Versioned) => Promise<Buffer>;
}

/** `npm ci` deletes it. npm has its own cache. */
const cacheFolder = join(repositoryRoot, 'node_modules/.cache/lintel-payload');

/** npm verifies the download against the registry. */
const npmPack = async ({ name, version }: Versioned): Promise<Buffer> => {
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(join(cacheFolder, 'fetch-'));
  try {
    const args = ['pack', `${name}@${version}`, '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
    await promisify(execFile)('npm', [...args, `--pack-destination=${folder}`], {
      cwd: repositoryRoot,
      maxBuffer: 1 << 26,
    });
    return readFileSync(join(folder, readdirSync(folder)[0]!));
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = (stderr ?? message).trim();
    throw new Error(`npm cannot download ${name} ${version} for the package: ${reason}`, { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const fromNpm: NpmPackageSource = { folder: cacheFolder, findLockedPayload: requireLockedNpmPackage, fetch: npmPack };

const integrityOf = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

const cacheFile = (folder: string, { name, version }: Versioned): string =>
  join(folder, `${name.replaceAll('/', '+')}-${version}.tgz`);

const readCache = (folder: string, wanted: LockedNpmPackage): Buffer | null => {
  try {
    const bytes = readFileSync(cacheFile(folder, wanted));
    return integrityOf(bytes) === wanted.integrity ? bytes : null;
  } catch {
    return null;
  }
};

const download = async ({ folder, fetch }: NpmPackageSource, wanted: LockedNpmPackage): Promise<Buffer> => {
  const bytes = await fetch(wanted);
  const found = integrityOf(bytes);
  if (found !== wanted.integrity)
    throw new Error(`${wanted.name} ${wanted.version} does not match payload-lock.json: ${found}`);
  const file = cacheFile(folder, wanted);
  writeFileSync(`${file}.${process.pid}`, bytes);
  renameSync(`${file}.${process.pid}`, file);
  return bytes;
};

/** Files of an npm package, in the order of `paths`. */
export const loadNpmPackageFiles = async (
  name: string,
  paths: readonly string[],
  source = fromNpm,
): Promise<Buffer[]> => {
  const wanted = source.findLockedPayload(name);
  const archive = readCache(source.folder, wanted) ?? (await download(source, wanted));
  const found = new Map<string, Buffer>();
  const unpacking = Readable.from([archive]).pipe(createGunzip()).pipe(extract());
  for await (const entry of unpacking) {
    const path = entry.header.name.replace(/^[^/]+\//, '');
    if (paths.includes(path)) found.set(path, await buffer(entry));
    else entry.resume();
    if (found.size === paths.length) break;
  }
  return paths.map(path => {
    const content = found.get(path);
    if (content === undefined) throw new Error(`${name} ${wanted.version} has no ${path}`);
    return content;
  });
};

/** For a change of versions: trusts the registry once, and the lock from then on. */
export const refreshPayloadLock = async (): Promise<readonly LockedNpmPackage[]> => {
  const packages: LockedNpmPackage[] = [];
  for (const wanted of readPayloadVersionsOfRepository())
    packages.push({ ...wanted, integrity: integrityOf(await npmPack(wanted)) });
  writeFileSync(payloadLockFile, `${JSON.stringify({ packages }, null, 2)}\n`);
  return packages;
};
