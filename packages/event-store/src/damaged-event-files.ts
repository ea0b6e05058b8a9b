import { closeSync, openSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getErrorCode } from '@lintel/service/error-code';
import { LAST_COMMIT_SUFFIX } from './last-commit-file.ts';

export interface DamagedEventFile {
  readonly path: string;
  /** The file contains no higher number. */
  readonly lastPossible: number;
  /** False: the file may end before that number. */
  readonly isExact: boolean;
}

const NAME = /^\.damaged-(\d+)-to-(at-most-)?(\d+)$/;

const numbered = (file: string): (DamagedEventFile & { readonly number: number })[] =>
  readdirSync(dirname(file)).flatMap(name => {
    const parts = name.startsWith(basename(file)) ? NAME.exec(name.slice(basename(file).length)) : null;
    if (parts === null) return [];
    const [, number, atMost, last] = parts;
    const path = join(dirname(file), name);
    return [{ path, number: Number(number), lastPossible: Number(last), isExact: atMost === undefined }];
  });

export const listDamagedEventFiles = (file: string): readonly DamagedEventFile[] => numbered(file);

const rename = (file: string, name: string): void => {
  // After a power loss between the renames the log is lost, but the file name still records the range.
  for (const suffix of ['', '-wal', LAST_COMMIT_SUFFIX]) {
    try {
      renameSync(file + suffix, name + suffix);
    } catch (error) {
      if (getErrorCode(error) !== 'ENOENT') throw error;
    }
  }
};

/** Renames the event file and its damaged predecessors for good. They are not salvaged. */
export const archiveEventFilesOfPreviousOwner = (file: string): void => {
  const names = readdirSync(dirname(file)).filter(name => name.startsWith(basename(file)));
  const numbers = names.flatMap(name => /\.left-behind-(\d+)/.exec(name)?.[1] ?? []);
  const suffix = `.left-behind-${1 + Math.max(0, ...numbers.map(Number))}`;
  for (const { path } of numbered(file)) rename(path, path + suffix);
  rename(file, file + suffix);
};

const nextName = (file: string, { lastPossible, isExact }: Omit<DamagedEventFile, 'path'>): string => {
  const number = 1 + Math.max(0, ...numbered(file).map(damaged => damaged.number));
  return `${file}.damaged-${number}-to-${isExact ? '' : 'at-most-'}${lastPossible}`;
};

/**
 * Renames a damaged file, so that a new one can be created and the old one salvaged. The name records which numbers it
 * may contain, because the new file uses higher ones at once.
 */
export const renameDamagedEventFile = (file: string, range: Omit<DamagedEventFile, 'path'>): void =>
  rename(file, nextName(file, range));

/** Creates an empty damaged file in place of a missing one, so that a crash before the report repeats it. */
export const createPlaceholderForMissingEventFile = (file: string, range: Omit<DamagedEventFile, 'path'>): void =>
  closeSync(openSync(nextName(file, range), 'a', 0o600));
