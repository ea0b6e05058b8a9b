import { isFirstClass, isFromRegistry, lockProblems, nameOf, readLock } from './lock-file.ts';
import { Registry } from './registry.ts';

/*
 * `npm run check:lock`: package-lock.json installs on Linux x64 and arm64. Every package that runs there has an
 * integrity, and the registry has every platform package under that integrity. `npm run lock` repairs what it can.
 */

const { packages } = readLock();
const problems = [...lockProblems(packages)];

const platformPackages = Object.entries(packages)
  .filter(([path, { os, cpu }]) => isFromRegistry(path, packages[path]!) && (os !== undefined || cpu !== undefined))
  .map(([path, entry]) => ({ name: nameOf(path), version: entry.version ?? '', entry }));
let matching = 0;
const manifests = await new Registry().manifests(platformPackages);
for (const [index, { name, version, entry }] of platformPackages.entries()) {
  const manifest = manifests[index] ?? null;
  if (manifest === null) {
    if (isFirstClass(entry)) problems.push(`${name}@${version}: not in the registry; choose another version`);
  } else if (manifest.integrity !== entry.integrity) {
    problems.push(`${name}@${version}: the registry has integrity ${manifest.integrity}`);
  } else matching++;
}

for (const problem of problems) process.stderr.write(`package-lock.json: ${problem}\n`);
if (problems.length > 0) process.stderr.write('Run "npm run lock" to repair the lock file.\n');
else process.stdout.write(`package-lock.json: ${matching} platform packages match the registry\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
