import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { clone } from './clone.ts';

/** Packages of npm that go into ours as they are, and that `npm ci` does not fetch here: they are for another processor. */
const lockSchema = z.strictObject({
  packages: z.array(
    z.strictObject({
      name: z.string(),
      version: z.string(),
      integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/),
    }),
  ),
});

export type LockedPackage = z.infer<typeof lockSchema>['packages'][number];

export const lockFile = join(clone, 'packages/packaging/files/payload-lock.json');

const readLock = (): readonly LockedPackage[] => lockSchema.parse(JSON.parse(readFileSync(lockFile, 'utf8'))).packages;

const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(clone, path), 'utf8')) as T;

/** The versions that the clone itself runs with: the package has no other. */
export const wantedPayload = (): readonly { name: string; version: string }[] => {
  const root = readJson<{ devDependencies: Record<string, string> }>('package.json');
  const koffi = readJson<{ dependencies: Record<string, string> }>('packages/service/package.json').dependencies[
    'koffi'
  ]!;
  const node = root.devDependencies['node']!;
  return ['arm64', 'x64'].flatMap(arch => [
    { name: `@koromix/koffi-linux-${arch}`, version: koffi },
    { name: `node-linux-${arch}`, version: node },
  ]);
};

const REFRESH = 'lintel image package --refresh-lock writes it anew';

/** Refuses a lock that is behind the clone. */
export const locked = (name: string): LockedPackage => {
  const wanted = wantedPayload().find(one => one.name === name);
  const found = readLock().find(one => one.name === name);
  if (found === undefined || wanted === undefined) throw new Error(`${name} is not in payload-lock.json: ${REFRESH}`);
  if (found.version === wanted.version) return found;
  throw new Error(`payload-lock.json has ${name} ${found.version}, the project ${wanted.version}: ${REFRESH}`);
};
