import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDebArchive } from './deb-archive.ts';
import { createDebianPackageTextEntry } from './package-tree.ts';
import { readDebControlFields } from './read-deb-package.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-read-deb-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const CONTROL = 'Package: lintel-controller\nVersion: 1.2.3~rc.1\nArchitecture: arm64\nDescription: doors\n';

const debWith = async (control: string): Promise<{ readonly file: string; readonly bytes: Buffer }> => {
  const bytes = await createDebArchive(
    [createDebianPackageTextEntry('control', control)],
    [createDebianPackageTextEntry('usr/bin/x', 'x'.repeat(999))],
    0,
  );
  const file = join(folder, 'a.deb');
  writeFileSync(file, bytes);
  return { file, bytes };
};

const refusal = (file: string): Promise<string> =>
  readDebControlFields(file).then(
    () => 'taken',
    (error: unknown) => (error as Error).message,
  );

describe('readDebControlFields', () => {
  it('returns the control fields of a package', async () => {
    const { file } = await debWith(CONTROL);
    expect(await readDebControlFields(file)).toEqual({
      name: 'lintel-controller',
      version: '1.2.3~rc.1',
      architecture: 'arm64',
      depends: '',
    });
  });

  it('rejects a package truncated at any point', async () => {
    const { file, bytes } = await debWith(CONTROL);
    // The last byte may be the padding behind a member of odd length.
    for (let length = bytes.length - 2; length >= 0; length -= 1) {
      truncateSync(file, length);
      expect(await refusal(file), `${length} bytes`).toMatch(
        /a\.deb (?:was cut off|is not a Debian package|is a damaged)/,
      );
    }
  });

  it('names the file and its problem', async () => {
    const { file, bytes } = await debWith('Package: x\nVersion: 1\n');
    expect(await refusal(file)).toBe(`${file} is a damaged Debian package: its control has no Architecture`);
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 140), Buffer.alloc(40), bytes.subarray(180)]));
    expect(await refusal(file)).toContain(`${file} is a damaged Debian package`);
    expect(await refusal(join(folder, 'none.deb'))).toContain('none.deb cannot be read: ENOENT');
    expect(await refusal(folder)).toContain(`${folder} cannot be read: EISDIR`);
  });

  it('returns null for a package compressed with xz', async () => {
    const { file, bytes } = await debWith(CONTROL);
    writeFileSync(file, bytes.toString('latin1').replace('control.tar.zst', 'control.tar.xz '), 'latin1');
    expect(await readDebControlFields(file)).toBeNull();
  });
});
