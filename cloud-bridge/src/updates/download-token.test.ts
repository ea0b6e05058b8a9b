import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MasterKeys } from '../secrets/master-key.ts';
import { downloadToken, isDownloadToken } from './download-token.ts';

const directory = mkdtempSync(join(tmpdir(), 'lintel-token-'));
afterAll(() => rmSync(directory, { recursive: true }));
const keys = MasterKeys.open(directory);
const right = { rolloutId: 'rol_1', deviceId: 'dev_1' };

describe('downloadToken', () => {
  it('is the same each time for one device and roll-out', () => {
    expect(downloadToken(keys, right)).toBe(downloadToken(keys, right));
    expect(isDownloadToken(keys, right, downloadToken(keys, right))).toBe(true);
  });

  it.each([
    { rolloutId: 'rol_2', deviceId: 'dev_1' },
    { rolloutId: 'rol_1', deviceId: 'dev_2' },
    { rolloutId: 'rol_1\ndev_1', deviceId: '' },
  ])('does not open the download of %j', other => {
    expect(isDownloadToken(keys, other, downloadToken(keys, right))).toBe(false);
  });

  it.each(['', 'AAAA', '!!!', 'x'.repeat(1000)])('is not %j', token => {
    expect(isDownloadToken(keys, right, token)).toBe(false);
  });

  it('stays valid while the key under which it was issued is kept', () => {
    const token = downloadToken(keys, right);
    const old = keys.currentVersion;
    keys.addVersion();
    expect(downloadToken(keys, right)).not.toBe(token);
    expect(isDownloadToken(keys, right, token)).toBe(true);
    keys.removeVersion(old);
    expect(isDownloadToken(keys, right, token)).toBe(false);
  });
});
