import { UsageError } from '@lintel/service/command-line/cli-command';
import type { CommandStreams } from '@lintel/service/command-line/cli-command';
import { parseCommandArguments, requireOption } from '@lintel/service/command-line/command-arguments';
import { toEnvironmentVariableName } from '@lintel/service/command-line/environment-variables';
import {
  chosenConfigurationFile,
  readConfigurationFile,
  readEnvironment,
  type Value,
} from '@lintel/service/command-line/program-options';
import {
  DataFolderError,
  ensureDataFolderKind,
  ensurePrivateFolder,
  rejectForeignDataFolder,
} from '@lintel/service/data-folder/data-folder';
import { asFolderOwner } from '@lintel/service/data-folder/folder-owner';
import { existsSync } from 'node:fs';
import type { ParseArgsConfig } from 'node:util';
import { describeDatabase } from '../storage/describe-database.ts';
import { requireFolderDatabase } from '../key-material/folder-database.ts';
import { requireKnownDatabase } from '../key-material/require-known-database.ts';
import { bridgeOptions } from './bridge-usage.ts';
import { parseDatabaseOption, readClusterSecretOption } from './option-values.ts';
import { findServiceConfiguration } from './service-configuration.ts';

/** Where the data of a bridge are. */
export interface BridgeLocation {
  readonly dataDir: string;
  readonly database: string | undefined;
  readonly clusterSecret: string | undefined;
  /** Undefined if neither option, environment nor configuration names it. */
  readonly publicUrl: string | undefined;
  /** Whether the configuration of the installed service names the folder. */
  readonly isOfService: boolean;
}

/** Options of the bridge that its commands have as well. */
const { data, database, 'cluster-secret-file': clusterSecretFile, 'public-url': publicUrl } = bridgeOptions;
const locationOptions = { data, database, 'cluster-secret-file': clusterSecretFile, 'public-url': publicUrl } as const;

type LocationValues = Readonly<Record<string, Value | undefined>>;

const textOf = (value: Value | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

const checkPublicUrl = (url: string | undefined): string | undefined => {
  if (url !== undefined && !URL.canParse(url))
    throw new UsageError('--public-url must be a URL such as https://doors.example.com');
  return url;
};

const places = ['data', 'database', 'cluster-secret-file'];

/** Where the folder and the database were found, other than on the command line. */
const sourcesOf = (
  environment: LocationValues,
  fromFile: LocationValues,
  given: LocationValues,
  file = '',
): string[] => {
  const used = places.filter(name => given[name] === undefined);
  const variables = used.filter(name => environment[name] !== undefined);
  const hasFileValue = used.some(name => environment[name] === undefined && fromFile[name] !== undefined);
  return [...variables.map(toEnvironmentVariableName), ...(hasFileValue ? [file] : [])];
};

const describeSources = (location: BridgeLocation, sources: readonly string[]): string =>
  `Data folder ${location.dataDir}, ${describeDatabase(location.database)} (from ${sources.join(' and ')})\n`;

const locate = (given: LocationValues, { stderr }: CommandStreams): BridgeLocation => {
  const environment = readEnvironment(locationOptions, process.env);
  const known = { ...environment, ...given };
  const chosen = chosenConfigurationFile(given['config'], process.env);
  const file = chosen ?? findServiceConfiguration(known);
  const fromFile: LocationValues = file === undefined ? {} : readConfigurationFile(bridgeOptions, file);
  const merged: LocationValues = { ...fromFile, ...environment, ...given };
  const url = parseDatabaseOption(textOf(merged['database']));
  const location = {
    dataDir: requireOption(textOf(merged['data']), 'data'),
    database: url,
    clusterSecret: readClusterSecretOption(textOf(merged['cluster-secret-file']), url),
    publicUrl: checkPublicUrl(textOf(merged['public-url'])),
    isOfService: chosen === undefined && file !== undefined,
  };
  const sources = sourcesOf(environment, fromFile, given, file);
  if (sources.length > 0) stderr.write(describeSources(location, sources));
  return location;
};

type CommandOptions = NonNullable<ParseArgsConfig['options']>;

/** Options of every command that uses the data of a bridge. */
const commonOptions = {
  data: { type: 'string' },
  database: { type: 'string' },
  'cluster-secret-file': { type: 'string' },
  config: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/**
 * Options of a command, and the data of the bridge that it is for: from the command line, the environment, and the
 * configuration file of `--config`, `LINTEL_CONFIG` or the installed service, as for the bridge itself. `locate` says on
 * stderr what the command line does not.
 */
export const parseBridgeCommand = <const O extends CommandOptions>(args: readonly string[], options: O) => {
  const all: O & typeof commonOptions = { ...commonOptions, ...options };
  const { values, positionals } = parseCommandArguments({ args, options: all, allowPositionals: true });
  return { values, positionals, locate: (streams: CommandStreams) => locate(values, streams) };
};

/** Throws a DataFolderError if root would create a folder that the service cannot use. */
export const requireCreatableFolder = ({ dataDir, isOfService }: BridgeLocation): void => {
  if (isOfService && process.geteuid?.() === 0 && !existsSync(dataDir))
    throw new DataFolderError(
      `${dataDir} is missing. Create it for the user of the service: install -d -m 700 -o lintel-bridge -g lintel-bridge ${dataDir}`,
    );
};

const createFolder = (location: BridgeLocation): void => {
  const { dataDir, database: url } = location;
  requireCreatableFolder(location);
  rejectForeignDataFolder(dataDir, 'bridge');
  requireFolderDatabase(dataDir, url);
  ensurePrivateFolder(dataDir);
  ensureDataFolderKind(dataDir, 'bridge', () => undefined);
};

/**
 * Works on the data of a bridge with the rights of their owner. `existing` creates nothing: it throws unless folder and
 * database belong to a bridge. `new` creates what is missing.
 */
export const withBridgeData = async <T>(
  location: BridgeLocation,
  access: 'existing' | 'new',
  work: () => Promise<T>,
): Promise<T> => {
  return asFolderOwner(location.dataDir, async () => {
    if (access === 'existing') await requireKnownDatabase(location);
    else createFolder(location);
    return work();
  });
};
