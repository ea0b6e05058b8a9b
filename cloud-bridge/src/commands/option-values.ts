import { readFileSync } from 'node:fs';
import { UsageError } from '@lintel/service/command-line/cli-command';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { asCaller } from '@lintel/service/data-folder/folder-owner';
import { BridgeCommandError } from './bridge-command-error.ts';

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

export const parseDatabaseOption = (value: string | undefined): string | undefined =>
  parseSecretUrlOption(
    value,
    postgresUrlProtocols,
    '--database must be a URL such as postgres://user:password@host:5432/lintel',
  );

export const readOptionFile = (file: string, option: string): string => {
  try {
    return asCaller(() => readFileSync(file, 'utf8')).trim();
  } catch (error) {
    throw new BridgeCommandError(`--${option}: ${describeSystemError(error, file)}`, { cause: error });
  }
};

const CLUSTER_SECRET = 'cluster-secret-file';

export const readClusterSecretOption = (file: string | undefined, database: string | undefined): string | undefined => {
  if (file === undefined || file === '') return undefined;
  if (database === undefined) throw new UsageError(`--${CLUSTER_SECRET} requires --database`);
  const secret = readOptionFile(file, CLUSTER_SECRET);
  if (!/^\S{32,}$/.test(secret))
    throw new BridgeCommandError(
      `--${CLUSTER_SECRET} ${file}: must contain 32 characters or more, without spaces. Create it with \`openssl rand -base64 48 | tr -d '\\n'\``,
    );
  return secret;
};
