import { readFileSync } from 'node:fs';
import { UsageError } from '@lintel/service/command-line/cli-command';
import { requireOption } from '@lintel/service/command-line/command-arguments';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import {
  DataFolderError,
  ensureDataFolderKind,
  rejectForeignDataFolder,
  requireDataFolderKind,
  ensurePrivateFolder,
} from '@lintel/service/data-folder/data-folder';
import { BridgeCommandError } from './bridge-command-error.ts';

/** Requires an existing bridge folder, so that a misspelled path does not create a new one. Not needed with `database`. */
export const requireBridgeFolder = (value: string | undefined, database: string | undefined): string => {
  const folder = requireOption(value, 'data');
  if (database !== undefined) return folder;
  try {
    requireDataFolderKind(folder, 'bridge');
  } catch (error) {
    throw error instanceof DataFolderError ? new BridgeCommandError(`--data: ${error.message}`) : error;
  }
  return folder;
};

/** Creates the folder if it is missing. Throws a DataFolderError for the folder of another program. */
export const ensureBridgeFolder = (value: string | undefined): string => {
  const folder = requireOption(value, 'data');
  rejectForeignDataFolder(folder, 'bridge');
  ensurePrivateFolder(folder);
  ensureDataFolderKind(folder, 'bridge', () => undefined);
  return folder;
};

/** An option whose URL may contain a password: error messages never contain the URL. */
export const parseSecretUrlOption = (
  url: string | undefined,
  protocols: readonly string[],
  usageMessage: string,
): string | undefined => {
  if (url === undefined || url === '') return undefined;
  if (!URL.canParse(url) || !protocols.includes(new URL(url).protocol)) throw new UsageError(usageMessage);
  return url;
};

export const postgresUrlProtocols = ['postgres:', 'postgresql:'];

/** `--database`, or the environment variable `LINTEL_DATABASE`, which keeps the password out of the process list. */
export const parseDatabaseOption = (value: string | undefined): string | undefined =>
  parseSecretUrlOption(
    value ?? process.env['LINTEL_DATABASE'],
    postgresUrlProtocols,
    '--database must be a URL such as postgres://user:password@host:5432/lintel',
  );

export const readOptionFile = (file: string, option: string): string => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new BridgeCommandError(`--${option}: ${describeSystemError(error, file)}`, { cause: error });
  }
};

const CLUSTER_SECRET = 'cluster-secret-file';

/** The secret in `--cluster-secret-file`, or in the file that `LINTEL_CLUSTER_SECRET_FILE` names. */
export const readClusterSecretOption = (
  value: string | undefined,
  database: string | undefined,
): string | undefined => {
  const file = value ?? process.env['LINTEL_CLUSTER_SECRET_FILE'];
  if (file === undefined || file === '') return undefined;
  if (database === undefined) throw new UsageError(`--${CLUSTER_SECRET} requires --database`);
  const secret = readOptionFile(file, CLUSTER_SECRET);
  if (!/^\S{32,}$/.test(secret))
    throw new BridgeCommandError(
      `--${CLUSTER_SECRET} ${file}: must contain 32 characters or more, without spaces. Create it with \`openssl rand -base64 48 | tr -d '\\n'\``,
    );
  return secret;
};
