import { type CliCommand, createCliCommand, type CommandHandler } from '@lintel/service/command-line/cli-command';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { ConfigurationFileError } from '@lintel/service/command-line/program-options';
import { PromptStoppedError } from '@lintel/service/command-line/prompt';
import { DataFolderError } from '@lintel/service/data-folder/data-folder';
import { FileError } from '@lintel/service/data-folder/file-error';
import { getErrorCode } from '@lintel/service/error-code';
import { BackupError } from '../backup/backup-error.ts';
import { BrokerUnavailableError } from '../devices/transport/external-broker-client.ts';
import { ApiError } from '../http/api-error.ts';
import { KeyMaterialError } from '../secrets/key-material-error.ts';
import { DatabaseUnavailableError, isStorageFailingError, isStorageFullError } from '../storage/database-error.ts';
import { NewerDatabaseError } from '../storage/migrate.ts';
import { BridgeCommandError } from './bridge-command-error.ts';
import { bridgeOptions } from './bridge-usage.ts';

const expectedErrors = [
  ApiError,
  BackupError,
  PromptStoppedError,
  BridgeCommandError,
  DataFolderError,
  FileError,
  ConfigurationFileError,
  KeyMaterialError,
  DatabaseUnavailableError,
  NewerDatabaseError,
  BrokerUnavailableError,
];

/** A disk that is full, read-only or fails. Null for other errors. */
const describeStorageError = (error: unknown): string | null => {
  const code = getErrorCode(error);
  if (isStorageFullError(error)) return `The disk is full (${code}). Free disk space, then try again`;
  if (code === 'EROFS' || code.startsWith('SQLITE_READONLY'))
    return `The file system is read-only (${code}). Check the disk (dmesg), and mount it for writing`;
  return isStorageFailingError(error) || code === 'EIO'
    ? `The disk fails, or the database is damaged (${code}). Check the disk (dmesg), or restore a backup`
    : null;
};

/** Also for files and folders that a person named, and that cannot be used. */
const describeExpectedError = (error: unknown): string | null => {
  if (expectedErrors.some(expected => error instanceof expected)) return (error as Error).message;
  const storage = describeStorageError(error);
  if (storage !== null) return storage;
  const { syscall, path } = error as NodeJS.ErrnoException;
  return syscall === undefined || path === undefined ? null : describeSystemError(error);
};

export const defineBridgeCommand = (usage: string, run: CommandHandler): CliCommand => ({
  ...createCliCommand(usage, run, describeExpectedError),
  // Also those of the bridge alone, which its environment may contain.
  variables: bridgeOptions,
});
