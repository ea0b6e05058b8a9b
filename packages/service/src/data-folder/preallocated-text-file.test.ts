import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PreallocatedTextFile } from './preallocated-text-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-in-place-'));
  path = join(folder, 'below', 'numbers');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('PreallocatedTextFile', () => {
  it('returns the last text, does not grow, and is private to its owner', () => {
    const file = new PreallocatedTextFile(path);
    expect(file.read()).toBeNull();
    file.write('a');
    const { size, mode } = statSync(path);
    expect(mode & 0o777).toBe(0o600);
    for (const text of ['b', '{"c":\n1}', 'd'.repeat(8_000), 'é']) {
      file.write(text);
      expect(new PreallocatedTextFile(path).read()).toBe(text);
      expect(statSync(path).size).toBe(size);
    }
  });

  it('keeps the previous text when a write was interrupted at any byte', () => {
    const file = new PreallocatedTextFile(path);
    for (const text of ['first', 'second']) file.write(text);
    const before = readFileSync(path);
    file.write('third');
    const after = readFileSync(path);
    const changed = [...after.keys()].filter(at => before[at] !== after[at]);
    for (const end of changed) {
      writeFileSync(path, Buffer.concat([after.subarray(0, end), before.subarray(end)]));
      expect(file.read()).toBe('second');
    }
  });

  it('rejects a text that does not fit', () => {
    expect(() => new PreallocatedTextFile(path).write('x'.repeat(9_000))).toThrow('too long');
  });
});
