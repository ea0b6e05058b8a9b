import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MasterKeys } from '../secrets/master-keys.ts';
import { issueKnownBrowserMark, KNOWN_BROWSER_LIFETIME_SECONDS, findKnownBrowserKey } from './known-browser-mark.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-unit-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('findKnownBrowserKey', () => {
  const keys = MasterKeys.open(folder);
  const mark = issueKnownBrowserMark(keys, 'usr_1', 0);

  it('accepts a mark only for its subject and until it expires', () => {
    expect(findKnownBrowserKey(keys, 'usr_1', mark, 0)).toMatch(/^usr_1 /);
    expect(findKnownBrowserKey(keys, 'usr_2', mark, 0)).toBeNull();
    expect(findKnownBrowserKey(keys, 'usr_1', mark, KNOWN_BROWSER_LIFETIME_SECONDS * 1000)).toBeNull();
  });

  it('rejects a changed, malformed or missing mark', () => {
    const [version, expiresAt, nonce, signature] = mark.split('.');
    const later = [version, Number(expiresAt) + 1, nonce, signature].join('.');
    for (const changed of [later, `${mark}x`, mark.replace(/^1/, '9'), 'x', '', '1.9e99', null]) {
      expect(findKnownBrowserKey(keys, 'usr_1', changed, 0)).toBeNull();
    }
  });

  it('accepts marks from before a rotation of the master key', () => {
    keys.addVersion();
    expect(findKnownBrowserKey(keys, 'usr_1', mark, 0)).not.toBeNull();
  });
});
