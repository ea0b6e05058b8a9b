import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureOutputFolder } from './output-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-out-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('output folder', () => {
  it('is created with its parents, and left empty', () => {
    ensureOutputFolder(join(folder, 'a/b'));
    ensureOutputFolder(join(folder, 'a/b'));
    expect(readdirSync(join(folder, 'a/b'))).toEqual([]);
  });

  it('is rejected at once when nothing can be written there', () => {
    writeFileSync(join(folder, 'file'), 'mine');
    for (const place of [join(folder, 'file'), join(folder, 'file/below'), '/proc/nowhere', '/proc/nowhere/below'])
      expect(() => ensureOutputFolder(place)).toThrow(`--out ${place} is not a writable directory: `);
    expect(existsSync('/proc/nowhere')).toBe(false);
  });
});
