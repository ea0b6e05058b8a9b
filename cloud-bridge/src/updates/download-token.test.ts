import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MasterKeys } from '../secrets/master-keys.ts';
import { createReleaseDownloadToken, isValidReleaseDownloadToken } from './download-token.ts';

const directory = mkdtempSync(join(tmpdir(), 'lintel-token-'));
afterAll(() => rmSync(directory, { recursive: true }));
const keys = MasterKeys.open(directory);
const grant = { rolloutId: 'rol_1', deviceId: 'dev_1' };

describe('createReleaseDownloadToken', () => {
  it('is the same each time for one device and roll-out', () => {
    expect(createReleaseDownloadToken(keys, grant)).toBe(createReleaseDownloadToken(keys, grant));
    expect(isValidReleaseDownloadToken(keys, grant, createReleaseDownloadToken(keys, grant))).toBe(true);
  });

  it.each([
    { rolloutId: 'rol_2', deviceId: 'dev_1' },
    { rolloutId: 'rol_1', deviceId: 'dev_2' },
    { rolloutId: 'rol_1\ndev_1', deviceId: '' },
  ])('is invalid for %j', other => {
    expect(isValidReleaseDownloadToken(keys, other, createReleaseDownloadToken(keys, grant))).toBe(false);
  });

  it.each(['', 'AAAA', '!!!', 'x'.repeat(1000)])('differs from %j', token => {
    expect(isValidReleaseDownloadToken(keys, grant, token)).toBe(false);
  });

  it('stays valid as long as the master key that issued it exists', () => {
    const token = createReleaseDownloadToken(keys, grant);
    const old = keys.currentVersion;
    keys.addVersion();
    expect(createReleaseDownloadToken(keys, grant)).not.toBe(token);
    expect(isValidReleaseDownloadToken(keys, grant, token)).toBe(true);
    keys.removeVersion(old);
    expect(isValidReleaseDownloadToken(keys, grant, token)).toBe(false);
  });
});
