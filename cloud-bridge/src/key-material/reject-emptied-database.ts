import { existsSync, lstatSync } from 'node:fs';
import { FileError } from '@lintel/service/data-folder/file-error';
import { buildMasterKeyFilePath } from '../secrets/master-keys.ts';
import { buildSqliteFilePath } from '../storage/open-storage.ts';

const sizeOf = (file: string): number => lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Throws a FileError for an empty database beside master keys, which would start without any data. A crash at the first
 * start leaves an empty file, too, but no master keys yet.
 */
export const rejectEmptiedDatabase = (dataDir: string): void => {
  const file = buildSqliteFilePath(dataDir);
  const isEmpty = existsSync(file) && sizeOf(file) === 0 && sizeOf(`${file}-wal`) === 0;
  if (!isEmpty || !existsSync(buildMasterKeyFilePath(dataDir))) return;
  const advice = 'Restore it from a backup, or delete it to start with an empty database';
  throw new FileError(`${file} is empty, although the bridge was used before. ${advice}.`);
};
