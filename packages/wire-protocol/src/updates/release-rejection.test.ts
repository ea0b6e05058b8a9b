import { describe, expect, it } from 'vitest';
import { findReleaseRejection } from './release-rejection.ts';
import type { ReleaseManifest } from './release-manifest.ts';

const manifest: ReleaseManifest = {
  v: 1,
  program: 'controller',
  version: '1.5.0',
  arch: 'arm64',
  entry: 'start',
  minimum_version: null,
  allow_downgrade: false,
  created_at: '2026-06-01T10:00:00.000Z' as ReleaseManifest['created_at'],
  files: [],
};
const machine = { program: 'controller', arch: 'arm64', version: '1.4.0', floor: '1.4.0' };

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
