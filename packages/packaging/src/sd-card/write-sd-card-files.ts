import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A file of the folder `lintel` on the card. */
export interface SdCardFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** Writes a complete file or none, as far as FAT permits. */
export const writeFileAtomically = (path: string, content: string | Uint8Array, mode = 0o644): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, content, { mode, flush: true });
  renameSync(`${path}.new`, path);
};

export const sumFileSizes = (files: readonly SdCardFile[]): number =>
  files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);

const CHECKSUMS = 'SHA256SUMS';

const removeOthers = (folder: string, wanted: ReadonlySet<string>): void => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !wanted.has(relative(folder, path).replaceAll('\\', '/'))) rmSync(path);
  }
};

/** Writes the checksums last, from what it reads back: without them the first boot does nothing. */
export const replaceLintelFolderFiles = (folder: string, files: readonly SdCardFile[]): void => {
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, CHECKSUMS), { force: true });
  // FAT has no modes. A folder that is copied to a card later may have them.
  for (const { name, content } of files)
    writeFileAtomically(join(folder, name), content, name.startsWith('secrets/') ? 0o600 : 0o644);
  // Files of an earlier preparation, such as an older package.
  removeOthers(folder, new Set(files.map(({ name }) => name)));
  const checksum = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  writeFileAtomically(join(folder, CHECKSUMS), files.map(({ name }) => `${checksum(name)}  ${name}\n`).join(''));
};
