import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MasterKeys } from '../secrets/master-keys.ts';
import { createDownloadToken, isValidDownloadToken } from './download-token.ts';

const directory = mkdtempSync(join(tmpdir(), 'lintel-token-'));
afterAll(() => rmSync(directory, { recursive: true }));
const keys = MasterKeys.open(directory);
const grant = { rolloutId: 'rol_1', deviceId: 'dev_1' };

describe('createDownloadToken', () => {
  it('is the same each time for one device and roll-out', () => {
    expect(createDownloadToken(keys, grant)).toBe(createDownloadToken(keys, grant));
    expect(isValidDownloadToken(keys, grant, createDownloadToken(keys, grant))).toBe(true);
  });

  it.each([
    { rolloutId: 'rol_2', deviceId: 'dev_1' },
    { rolloutId: 'rol_1', deviceId: 'dev_2' },
    { rolloutId: 'rol_1\ndev_1', deviceId: '' },
  ])('is invalid for %j', other => {
    expect(isValidDownloadToken(keys, other, createDownloadToken(keys, grant))).toBe(false);
  });

  it.each(['', 'AAAA', '!!!', 'x'.repeat(1000)])('differs from %j', token => {
    expect(isValidDownloadToken(keys, grant, token)).toBe(false);
  });

  it('stays valid as long as the master key that issued it exists', () => {
    const token = createDownloadToken(keys, grant);
    const old = keys.currentVersion;
    keys.addVersion();
    expect(createDownloadToken(keys, grant)).not.toBe(token);
    expect(isValidDownloadToken(keys, grant, token)).toBe(true);
    keys.removeVersion(old);
    expect(isValidDownloadToken(keys, grant, token)).toBe(false);
  });
});
