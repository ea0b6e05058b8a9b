import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSampleEvents } from '@lintel/test/support/devices/sample-events';
import { UnwrittenCopyFile } from './unwritten-copy.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-copy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => new UnwrittenCopyFile(folder, folder);
const path = (): string => join(folder, readdirSync(folder)[0]!);

describe('UnwrittenCopyFile', () => {
  it('returns what the previous process appended, and can only be read by its user', () => {
    const first = open();
    first.append(createSampleEvents(1, 2));
    first.append(createSampleEvents(3, 1));
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(open().read()).toEqual(createSampleEvents(1, 3));
  });

  it('leaves nothing when it is cleared', () => {
    const copy = open();
    copy.append(createSampleEvents(1, 1));
    copy.clear();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves out a line that was interrupted', () => {
    open().append(createSampleEvents(1, 2));
    truncateSync(path(), statSync(path()).size - 20);
    expect(open().read()).toEqual(createSampleEvents(1, 1));
  });

  it('does not use a file that other users can write', () => {
    open().append(createSampleEvents(1, 1));
    chmodSync(path(), 0o666);
    const copy = open();
    expect(copy.read()).toEqual([]);
    copy.append(createSampleEvents(2, 1));
    expect(statSync(path()).size).toBeLessThan(1_000);
  });

  it('works without the folder', () => {
    const copy = new UnwrittenCopyFile(join(folder, 'missing'), folder);
    copy.append(createSampleEvents(1, 1));
    expect(copy.read()).toEqual([]);
    copy.clear();
  });

  it('separates controllers', () => {
    const other = mkdtempSync(join(tmpdir(), 'lintel-copy-'));
    open().append(createSampleEvents(1, 1));
    expect(new UnwrittenCopyFile(folder, other).read()).toEqual([]);
    rmSync(other, { recursive: true });
  });
});
