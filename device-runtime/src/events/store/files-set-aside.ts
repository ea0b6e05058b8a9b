import { readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface FileSetAside {
  readonly path: string;
  /** No higher number was used in it. */
  readonly lastPossible: number;
  /** False: that number itself may not have been used. */
  readonly isExact: boolean;
}

const NAME = /^\.damaged-(\d+)-to-(at-most-)?(\d+)$/;

const numbered = (file: string): (FileSetAside & { readonly number: number })[] =>
  readdirSync(dirname(file)).flatMap(name => {
    const parts = name.startsWith(basename(file)) ? NAME.exec(name.slice(basename(file).length)) : null;
    if (parts === null) return [];
    const [, number, atMost, last] = parts;
    const path = join(dirname(file), name);
    return [{ path, number: Number(number), lastPossible: Number(last), isExact: atMost === undefined }];
  });

export const filesSetAside = (file: string): readonly FileSetAside[] => numbered(file);

const rename = (file: string, name: string): void => {
  // A log that is left alone by a power cut is salvaged no more, but the file's name tells of the loss.
  for (const suffix of ['', '-wal']) {
    try {
      renameSync(file + suffix, name + suffix);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
};

/** Out of the way for good, and nothing of it is salvaged any more. */
export const leaveBehind = (file: string): void => {
  const names = readdirSync(dirname(file)).filter(name => name.startsWith(basename(file)));
  const numbers = names.flatMap(name => /\.left-behind-(\d+)/.exec(name)?.[1] ?? []);
  const suffix = `.left-behind-${1 + Math.max(0, ...numbers.map(Number))}`;
  for (const { path } of numbered(file)) rename(path, path + suffix);
  rename(file, file + suffix);
};

/**
 * A damaged file makes way for a new one and waits under another name to be salvaged. The name keeps which numbers it
 * may have held, because the new file uses higher ones at once.
 */
export const setAside = (file: string, { lastPossible, isExact }: Omit<FileSetAside, 'path'>): void => {
  const number = 1 + Math.max(0, ...numbered(file).map(one => one.number));
  rename(file, `${file}.damaged-${number}-to-${isExact ? '' : 'at-most-'}${lastPossible}`);
};
