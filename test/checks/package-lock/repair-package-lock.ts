import {
  isFromRegistry,
  findLockProblems,
  findMissingOptionalPackages,
  packageNameOf,
  readLock,
  writeLock,
} from './package-lock-file.ts';
import { NpmRegistry } from './npm-registry.ts';

/*
 * `npm run lock`, for use after a change of dependencies. npm may omit optional packages of other platforms from the lock, and
 * the next `npm ci` on such a platform fails. This adds all optional packages, with platform and integrity from the registry.
 */

const lock = readLock();
const complete = { ...lock.packages, ...Object.fromEntries(findMissingOptionalPackages(lock.packages)) };
const unverified = Object.entries(complete)
  .filter(([path, entry]) => isFromRegistry(path, entry) && entry.integrity === undefined)
  .map(([path, entry]) => ({ path, entry, name: packageNameOf(path), version: entry.version ?? '' }));
const manifests = await new NpmRegistry().manifests(unverified);
const repaired = Object.fromEntries(
  unverified.map(({ path, entry }, index) => [path, { ...entry, ...manifests[index] }]),
);
const absent = manifests.filter(manifest => manifest === null).length;
const packages = { ...complete, ...repaired };
writeLock({ ...lock, packages });
process.stdout.write(
  `package-lock.json: integrity added for ${unverified.length - absent} packages; ` +
    `${absent} packages for other platforms are not in the registry\n`,
);
for (const problem of findLockProblems(packages)) {
  process.stderr.write(`package-lock.json: ${problem}\n`);
  process.exitCode = 1;
}
