import {
  runsOnSupportedPlatform,
  isFromRegistry,
  findLockProblems,
  packageNameOf,
  readLock,
} from './package-lock-file.ts';
import { type RegistryManifest, NpmRegistry } from './npm-registry.ts';

/*
 * `npm run check:lock`: package-lock.json installs on Linux x64 and arm64. Every package that runs there has an
 * integrity, and the registry has every platform package under that integrity. `npm run lock` repairs what it can.
 */

const { packages } = readLock();
const problems = [...findLockProblems(packages)];

const platformPackages = Object.entries(packages)
  .filter(([path, entry]) => isFromRegistry(path, entry) && (entry.os !== undefined || entry.cpu !== undefined))
  .map(([path, entry]) => ({ name: packageNameOf(path), version: entry.version ?? '', entry }));

const compare = (manifests: readonly (RegistryManifest | null)[]): string => {
  let matching = 0;
  for (const [index, { name, version, entry }] of platformPackages.entries()) {
    const manifest = manifests[index] ?? null;
    if (manifest === null) {
      if (runsOnSupportedPlatform(entry))
        problems.push(`${name}@${version}: not in the registry; choose another version`);
    } else if (manifest.integrity !== entry.integrity) {
      problems.push(`${name}@${version}: the registry has integrity ${manifest.integrity}`);
    } else matching++;
  }
  return `${matching} platform packages match the registry`;
};

/** Checks only the lock file when the registry is unreachable. With CI=true that is a failure. */
const compareIfReachable = async (): Promise<string> => {
  let manifests: readonly (RegistryManifest | null)[];
  try {
    manifests = await new NpmRegistry().manifests(platformPackages);
  } catch (error) {
    const reason = `the npm registry cannot be reached (${(error as Error).message})`;
    if (process.env['CI'] === 'true') problems.push(reason);
    return `not compared with the registry: ${reason}`;
  }
  return compare(manifests);
};

const result = await compareIfReachable();
for (const problem of problems) process.stderr.write(`package-lock.json: ${problem}\n`);
if (problems.length > 0) process.stderr.write('Run "npm run lock" to repair the lock file.\n');
else process.stdout.write(`package-lock.json: ${result}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
