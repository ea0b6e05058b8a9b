import { isFromRegistry, lockProblems, missingOptional, nameOf, readLock, writeLock } from './lock-file.ts';
import { Registry } from './registry.ts';

/*
 * `npm run lock`, after a change of dependencies. npm leaves out of the lock what the registry could not deliver for the
 * platform it ran on, and the next `npm ci` on another platform fails. This lists every optional package again and takes
 * platform and integrity from the registry.
 */

const lock = readLock();
const complete = { ...lock.packages, ...Object.fromEntries(missingOptional(lock.packages)) };
const unverified = Object.entries(complete)
  .filter(([path, entry]) => isFromRegistry(path, entry) && entry.integrity === undefined)
  .map(([path, entry]) => ({ path, entry, name: nameOf(path), version: entry.version ?? '' }));
const manifests = await new Registry().manifests(unverified);
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
for (const problem of lockProblems(packages)) {
  process.stderr.write(`package-lock.json: ${problem}\n`);
  process.exitCode = 1;
}
