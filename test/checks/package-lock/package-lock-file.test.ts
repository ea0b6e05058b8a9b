import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  lockFile,
  findLockProblems,
  type LockEntries,
  findMissingOptionalPackages,
  readLock,
} from './package-lock-file.ts';

const parent = { version: '1.2.3', integrity: 'sha512-a', dev: true };
const x64 = { version: '1.2.3', integrity: 'sha512-b', os: ['linux'], cpu: ['x64'], libc: ['glibc'] };
const arm64 = { ...x64, cpu: ['arm64'] };
const musl = { version: '1.2.3', os: ['linux'], cpu: ['x64'], libc: ['musl'] };
const optionalDependencies = { 'tool-linux-x64': '1.2.3', 'tool-linux-arm64': '1.2.3' };

const lockOf = (packages: LockEntries): LockEntries => ({
  'node_modules/tool': { ...parent, optionalDependencies },
  'node_modules/tool-linux-x64': x64,
  'node_modules/tool-linux-arm64': arm64,
  ...packages,
});

describe('package-lock.json', () => {
  it('installs on Linux x64 and arm64', () => {
    expect(findLockProblems(readLock().packages)).toEqual([]);
  });

  it('contains no registry address', () => {
    expect(readFileSync(lockFile, 'utf8')).not.toMatch(/"resolved": "https?:/);
  });
});

describe('findLockProblems', () => {
  it('accepts a lock in which both architectures have integrity', () => {
    expect(findLockProblems(lockOf({ 'node_modules/tool-linux-x64-musl': musl }))).toEqual([]);
  });

  it('names a package for a supported platform without integrity', () => {
    const { integrity: _, ...unverified } = arm64;
    expect(findLockProblems(lockOf({ 'node_modules/tool-linux-arm64': unverified }))).toEqual([
      'tool-linux-arm64@1.2.3: no integrity',
    ]);
  });

  it('names a package that has no variant for one of the architectures', () => {
    const onlyX64 = { ...parent, optionalDependencies: { 'tool-linux-x64': '1.2.3' } };
    expect(findLockProblems(lockOf({ 'node_modules/tool': onlyX64 }))).toEqual([
      'tool: no package for linux-arm64 (glibc)',
    ]);
  });

  it('names an optional package that the lock does not list', () => {
    const packages = lockOf({
      'node_modules/tool': {
        ...parent,
        optionalDependencies: { ...optionalDependencies, 'tool-darwin-x64': '^1.2.3' },
      },
    });
    expect(findLockProblems(packages)).toEqual(['tool-darwin-x64: optional package is not in the lock']);
    expect(findMissingOptionalPackages(packages)).toEqual([
      ['node_modules/tool-darwin-x64', { version: '1.2.3', os: ['darwin'], cpu: ['x64'], dev: true, optional: true }],
    ]);
  });
});
