import { type CliCommand, createCliCommand, type CommandHandler } from '@lintel/service/command-line/cli-command';
import { PromptStoppedError } from '@lintel/service/command-line/prompt';
import { DataFolderError } from '@lintel/service/data-folder/data-folder';
import { FileError } from '@lintel/service/data-folder/file-error';
import { BackupError } from '../backup/backup-error.ts';
import { BrokerUnavailableError } from '../devices/transport/external-broker-client.ts';
import { ApiError } from '../http/api-error.ts';
import { KeyMaterialError } from '../secrets/key-material-error.ts';
import { DatabaseUnavailableError } from '../storage/database-error.ts';
import { NewerDatabaseError } from '../storage/migrate.ts';
import { BridgeCommandError } from './bridge-command-error.ts';

const expectedErrors = [
  ApiError,
  BackupError,
  PromptStoppedError,
  BridgeCommandError,
  DataFolderError,
  FileError,
  KeyMaterialError,
  DatabaseUnavailableError,
  NewerDatabaseError,
  BrokerUnavailableError,
];

const describeExpectedError = (error: unknown): string | null =>
  expectedErrors.some(expected => error instanceof expected) ? (error as Error).message : null;

export const defineBridgeCommand = (usage: string, run: CommandHandler): CliCommand =>
  createCliCommand(usage, run, describeExpectedError);
