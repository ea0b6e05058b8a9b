import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWithSchema } from '../schema-parts/parse-with-schema.ts';
import { compareReleaseVersions } from './compare-versions.ts';
import { findReleaseRejection } from './release-rejection.ts';
import { isSafeReleasePath, type ReleaseManifest, releaseManifestSchema } from './release-manifest.ts';
import { releaseVersionSchema } from './release-version.ts';

const digest = '0'.repeat(64);
const file = (path: string, is_executable = false) => ({
  path,
  is_executable,
  size: 1,
  sha256: digest,
  stored_size: 1,
  stored_sha256: digest,
});
const manifest: ReleaseManifest = {
  v: 1,
  program: 'controller',
  version: '1.5.0',
  arch: 'arm64',
  entry: 'start',
  minimum_version: null,
  allow_downgrade: false,
  created_at: '2026-06-01T10:00:00.000Z' as ReleaseManifest['created_at'],
  files: [file('start', true), file('program/a.js')],
};
const machine = { program: 'controller', arch: 'arm64', version: '1.4.0', floor: '1.4.0' };
const problemsOf = (value: unknown): string[] => {
  const parsed = parseWithSchema(releaseManifestSchema, value);
  return parsed.ok ? [] : parsed.problems.map(({ path, code }) => `${path} ${code}`);
};

describe('versions', () => {
  it('sort in the order of semantic versions', () => {
    const inOrder = [
      '0.9.9',
      '1.0.0-1',
      '1.0.0-2',
      '1.0.0-10',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-rc',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
      '2.0.0',
    ];
    const shuffled = fc.shuffledSubarray(inOrder, { minLength: inOrder.length });
    fc.assert(
      fc.property(shuffled, some => {
        expect(some.toSorted(compareReleaseVersions)).toEqual(inOrder);
      }),
    );
  });

  it.each(['1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3+build', '1.2.3 ', ''])('reject %j', text => {
    expect(releaseVersionSchema.safeParse(text).success).toBe(false);
  });
});

describe('path in a release', () => {
  it.each(['a', 'bin/node', 'a..b/c', '.hidden', 'ü/é'])('may be %j', path => {
    expect(isSafeReleasePath(path)).toBe(true);
  });

  it.each([
    '',
    '/etc/passwd',
    '../x',
    'a/../../x',
    'a/./b',
    'a//b',
    'a/',
    '..',
    'a\\..\\b',
    'a\u0000b',
    'a\nb',
    'x'.repeat(201),
  ])('must not be %j', path => {
    expect(isSafeReleasePath(path)).toBe(false);
    expect(problemsOf({ ...manifest, files: [file('start', true), file(path)] })).toContain('files.1.path unsafe_path');
  });
});

describe('release manifest', () => {
  it('is read with fields of a newer version', () => {
    expect(problemsOf({ ...manifest, added_later: 1 })).toEqual([]);
  });

  it.each([
    ['two files of one path', { files: [file('start', true), file('a'), file('a')] }, 'files custom'],
    ['a file where a folder is needed', { files: [file('start', true), file('a'), file('a/b')] }, 'files custom'],
    ['an entry that is not there', { entry: 'other' }, 'entry custom'],
    ['an entry that cannot be started', { entry: 'program/a.js' }, 'entry custom'],
    ['no files', { files: [] }, 'files too_small'],
  ])('is rejected with %s', (_, change, problem) => {
    const parsed = problemsOf({ ...manifest, ...change });
    expect(parsed.some(one => one.startsWith(problem.split(' ')[0]!))).toBe(true);
  });
});

describe('release with a valid signature', () => {
  it('is accepted by the machine that it was made for', () => {
    expect(findReleaseRejection(manifest, machine)).toBeNull();
    expect(findReleaseRejection({ ...manifest, arch: 'all' }, machine)).toBeNull();
    expect(findReleaseRejection({ ...manifest, version: '1.4.0' }, machine)).toBeNull();
  });

  it.each([
    ['another program', { program: 'gateway' }, 'wrong_program'],
    ['another architecture', { arch: 'amd64' as const }, 'wrong_arch'],
    ['a later version', { minimum_version: '1.4.1' }, 'too_old'],
    ['going back', { version: '1.3.9' }, 'downgrade'],
  ])('is rejected when it is for %s', (_, change, code) => {
    const refusal = findReleaseRejection({ ...manifest, ...change }, machine);
    expect(refusal?.code).toBe(code);
    expect(refusal?.message.length).toBeGreaterThan(20);
  });

  it('may downgrade when it was signed for that', () => {
    expect(findReleaseRejection({ ...manifest, version: '1.0.0', allow_downgrade: true }, machine)).toBeNull();
  });
});
