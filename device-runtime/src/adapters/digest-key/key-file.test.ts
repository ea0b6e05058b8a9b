import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DigestKeyFailure } from '../../ports/digest-key-source.ts';
import { DigestKeyFile } from './key-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-key-'));
  file = join(folder, 'digest.key');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('is made at first start, for its owner only, and is the same ever after', () => {
  const key = new DigestKeyFile(file).read();
  expect(key).toHaveLength(32);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(new DigestKeyFile(file).read()).toEqual(key);
  expect(new DigestKeyFile(join(folder, 'other')).read()).not.toEqual(key);
});

it('is refused when others can read it', () => {
  new DigestKeyFile(file).read();
  chmodSync(file, 0o640);
  expect(() => new DigestKeyFile(file).read()).toThrow(/owner only/);
});

it('is not replaced when it is damaged: another key would fit nobody', () => {
  writeFileSync(file, 'short', { mode: 0o600 });
  expect(() => new DigestKeyFile(file).read()).toThrow(DigestKeyFailure);
  expect(readFileSync(file, 'utf8')).toBe('short');
});

it('that cannot be written is a failure with a name', () => {
  expect(() => new DigestKeyFile(join(folder, 'no', 'such', 'folder')).read()).toThrow(DigestKeyFailure);
});
