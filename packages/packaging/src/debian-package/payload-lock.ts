import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from './repository-root.ts';

/** npm packages that are copied into ours. `npm ci` does not install them, because they are for other architectures too. */
const lockSchema = z.strictObject({
  packages: z.array(
    z.strictObject({
      name: z.string(),
      version: z.string(),
      integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/),
    }),
  ),
});

export type LockedNpmPackage = z.infer<typeof lockSchema>['packages'][number];

export const payloadLockFile = join(repositoryRoot, 'packages/packaging/files/payload-lock.json');

const readLock = (): readonly LockedNpmPackage[] =>
  lockSchema.parse(JSON.parse(readFileSync(payloadLockFile, 'utf8'))).packages;

const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8')) as T;

const dependencyVersion = (workspace: string, name: string): string =>
  readJson<{ dependencies: Record<string, string> }>(`${workspace}/package.json`).dependencies[name]!;

/** The versions that the repository itself uses. */
export const readPayloadVersionsOfRepository = (): readonly { name: string; version: string }[] => {
  const node = readJson<{ devDependencies: Record<string, string> }>('package.json').devDependencies['node']!;
  const koffi = dependencyVersion('packages/service', 'koffi');
  const argon2 = dependencyVersion('cloud-bridge', '@node-rs/argon2');
  return ['arm64', 'x64'].flatMap(arch => [
    { name: `@koromix/koffi-linux-${arch}`, version: koffi },
    { name: `@node-rs/argon2-linux-${arch}-gnu`, version: argon2 },
    { name: `node-linux-${arch}`, version: node },
  ]);
};

const REFRESH = 'run lintel image package --refresh-lock';

/** Throws when the lock has another version than the repository. */
export const requireLockedNpmPackage = (name: string): LockedNpmPackage => {
  const wanted = readPayloadVersionsOfRepository().find(one => one.name === name);
  const found = readLock().find(one => one.name === name);
  if (found === undefined || wanted === undefined) throw new Error(`${name} is not in payload-lock.json: ${REFRESH}`);
  if (found.version === wanted.version) return found;
  throw new Error(`payload-lock.json has ${name} ${found.version}, the project ${wanted.version}: ${REFRESH}`);
};
