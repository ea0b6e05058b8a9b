import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DigestKeyError } from './digest-key-source-interface.ts';
import { DigestKeyFile } from './digest-key-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-key-'));
  file = join(folder, 'digest.key');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('digest key file', () => {
  it('is created at the first start, readable by its owner only, and then stays the same', () => {
    const key = new DigestKeyFile(file).read();
    expect(key).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(new DigestKeyFile(file).read()).toEqual(key);
    expect(new DigestKeyFile(join(folder, 'other')).read()).not.toEqual(key);
  });

  it('is rejected when others can read it', () => {
    new DigestKeyFile(file).read();
    chmodSync(file, 0o640);
    expect(() => new DigestKeyFile(file).read()).toThrow(/owner only/);
  });

  it('is not replaced when it is damaged, because a new key would match no credential', () => {
    writeFileSync(file, 'short', { mode: 0o600 });
    expect(() => new DigestKeyFile(file).read()).toThrow(DigestKeyError);
    expect(readFileSync(file, 'utf8')).toBe('short');
  });

  it('that cannot be written fails with a named error', () => {
    expect(() => new DigestKeyFile(join(folder, 'no', 'such', 'folder')).read()).toThrow(DigestKeyError);
  });
});
