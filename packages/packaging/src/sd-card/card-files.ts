import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of the card's folder `lintel`: its text, or where it is copied from. */
export type CardFile = { readonly name: string } & ({ readonly text: string } | { readonly from: string });

const flush = (path: string): void => {
  const handle = openSync(path, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Whole or not at all, as far as FAT can promise that. */
export const writeWhole = (path: string, text: string, mode = 0o644): void => {
  mkdirSync(dirname(path), { recursive: true });
  const handle = openSync(`${path}.new`, 'w', mode);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(`${path}.new`, path);
};

const copyWhole = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, `${to}.new`);
  flush(`${to}.new`);
  renameSync(`${to}.new`, to);
};

const sizeOf = (file: CardFile): number => ('text' in file ? Buffer.byteLength(file.text) : statSync(file.from).size);

export const totalSize = (files: readonly CardFile[]): number => files.reduce((sum, file) => sum + sizeOf(file), 0);

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

const filesBelow = (folder: string, at = ''): string[] =>
  readdirSync(join(folder, at), { withFileTypes: true }).flatMap(entry => {
    const name = at === '' ? entry.name : `${at}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(folder, name) : [name];
  });

/** What an earlier preparation left and this one does not want, an older package above all. */
const removeOthers = (folder: string, wanted: ReadonlySet<string>): void => {
  for (const name of filesBelow(folder)) if (!wanted.has(name)) rmSync(join(folder, name));
};

const SUMS = 'SHA256SUMS';

/** The sums come last, read back from what was written: without them the first boot does nothing. */
export const writeCardFiles = (folder: string, files: readonly CardFile[]): void => {
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, SUMS), { force: true });
  for (const file of files) {
    const path = join(folder, file.name);
    // FAT has no modes; a folder that is copied to a card later may.
    if ('text' in file) writeWhole(path, file.text, file.name.startsWith('secrets/') ? 0o600 : 0o644);
    else copyWhole(file.from, path);
  }
  removeOthers(folder, new Set(files.map(({ name }) => name)));
  const sums = files.map(({ name }) => `${digestOf(join(folder, name))}  ${name}\n`);
  writeWhole(join(folder, SUMS), sums.join(''));
};
