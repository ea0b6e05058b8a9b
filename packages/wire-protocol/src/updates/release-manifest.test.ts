import { describe, expect, it } from 'vitest';
import { parseWithSchema } from '../schema-parts/parse-with-schema.ts';
import { type ReleaseManifest, releaseManifestSchema } from './release-manifest.ts';

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
const problemsOf = (value: unknown): string[] => {
  const parsed = parseWithSchema(releaseManifestSchema, value);
  return parsed.ok ? [] : parsed.problems.map(({ path, code }) => `${path} ${code}`);
};

describe('path in a release', () => {
  it.each(['a', 'bin/node', 'a..b/c', '.hidden', 'ü/é'])('may be %j', path => {
    expect(problemsOf({ ...manifest, files: [file('start', true), file(path)] })).toEqual([]);
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
