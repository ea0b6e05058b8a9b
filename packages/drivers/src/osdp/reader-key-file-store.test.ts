import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OsdpReaderKeyFileStore } from './reader-key-file-store.ts';
import { OsdpReaderKeyError } from './reader-key-store-interface.ts';

let folder: string;
let keys: OsdpReaderKeyFileStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-osdp-'));
  keys = new OsdpReaderKeyFileStore(folder, 'rs485');
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = Uint8Array.from({ length: 16 }, (_, at) => at);
const file = (): string => join(folder, readdirSync(folder)[0]!);

describe('reader key files', () => {
  it('hold the latest key of each reader, readable by the owner only', () => {
    expect(keys.read(1)).toBeNull();
    keys.write(1, { bytes, confirmed: false });
    keys.write(1, { bytes, confirmed: true });
    keys.write(2, { bytes: bytes.toReversed(), confirmed: false });
    const reopened = new OsdpReaderKeyFileStore(folder, 'rs485');
    expect(reopened.read(1)).toEqual({ bytes, confirmed: true });
    expect(reopened.read(2)).toEqual({ bytes: bytes.toReversed(), confirmed: false });
    keys.write(2, { bytes, confirmed: false, previous: bytes.toReversed() });
    expect(reopened.read(2)).toEqual({ bytes, confirmed: false, previous: bytes.toReversed() });
    expect(new OsdpReaderKeyFileStore(folder, 'other').read(1)).toBeNull();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('reject a key that others can read', () => {
    keys.write(1, { bytes, confirmed: true });
    chmodSync(file(), 0o604);
    expect(() => keys.read(1)).toThrow(OsdpReaderKeyError);
  });

  it('reject a damaged key, because any device could pose as a reader without one', () => {
    keys.write(1, { bytes, confirmed: true });
    truncateSync(file(), 12);
    expect(() => keys.read(1)).toThrow(/damaged/);
    for (const mark of [2, 9]) {
      writeFileSync(file(), Uint8Array.of(...bytes, mark));
      expect(() => keys.read(1)).toThrow(/damaged/);
    }
  });

  it('report a failed write', () => {
    writeFileSync(join(folder, 'no-folder'), '');
    const nowhere = new OsdpReaderKeyFileStore(join(folder, 'no-folder'), 'rs485');
    expect(() => nowhere.write(1, { bytes, confirmed: true })).toThrow(OsdpReaderKeyError);
  });
});
