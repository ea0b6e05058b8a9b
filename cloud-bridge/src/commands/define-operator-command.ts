import { type CliCommand, type CommandStreams, UsageError } from '@lintel/service/command-line/cli-command';
import { parseCommandArguments, rejectExtraArguments } from '@lintel/service/command-line/command-arguments';
import { openBridgeServices } from '../open-services.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import {
  readClusterSecretOption,
  ensureBridgeFolder,
  parseDatabaseOption,
  requireBridgeFolder,
} from './data-folder-and-database-options.ts';
import { defineBridgeCommand } from './define-bridge-command.ts';

const options = {
  data: { type: 'string' },
  database: { type: 'string' },
  'cluster-secret-file': { type: 'string' },
  'public-url': { type: 'string' },
  organization: { type: 'string' },
  email: { type: 'string' },
  name: { type: 'string' },
  role: { type: 'string' },
  site: { type: 'string', multiple: true },
  owner: { type: 'string' },
  whitelabel: { type: 'boolean' },
  events: { type: 'string' },
  deliveries: { type: 'string' },
  out: { type: 'string' },
  'passphrase-file': { type: 'string' },
  'with-events': { type: 'boolean' },
  yes: { type: 'boolean' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

type OptionName = keyof typeof options;
type BooleanOption = 'whitelabel' | 'with-events' | 'yes' | 'force' | 'json';

/** One call of an operator's command, with the services of the bridge. */
export interface OperatorCall {
  readonly services: BridgeServices;
  readonly values: Readonly<Partial<Record<Exclude<OptionName, 'site' | BooleanOption>, string>>> & {
    readonly site?: readonly string[];
  } & Readonly<Partial<Record<BooleanOption, boolean>>>;
  readonly dataDir: string;
  readonly streams: CommandStreams;
  /** The argument after the verb. */
  readonly argument: string | undefined;
  /** Prints the document with `--json`, otherwise the text. */
  readonly print: (document: object, text: string) => void;
}

export interface OperatorSubcommand {
  /** Options in addition to those that all verbs have. */
  readonly options: readonly OptionName[];
  /** Accepts a folder that is not the data folder of a bridge yet. Default: false. */
  readonly mayCreateFolder?: boolean;
  readonly run: (call: OperatorCall) => Promise<void>;
}

const commonOptions: readonly OptionName[] = ['data', 'database', 'cluster-secret-file', 'json'];

const rejectForeignOptions = (verb: string, given: object, { options: own }: OperatorSubcommand): void => {
  const foreign = Object.keys(given).find(name => ![...commonOptions, ...own].includes(name as OptionName));
  if (foreign !== undefined) throw new UsageError(`${verb} does not accept --${foreign}`);
};

const printerFor =
  ({ stdout }: CommandStreams, isJson: boolean): OperatorCall['print'] =>
  (document, text) => {
    stdout.write(isJson ? `${JSON.stringify(document)}\n` : text === '' ? '' : `${text}\n`);
  };

/** A command with subcommands that acts as the operator of the bridge, also while the bridge is running. */
export const defineOperatorCommand = (
  usage: string,
  subcommands: Readonly<Record<string, OperatorSubcommand>>,
): CliCommand =>
  defineBridgeCommand(usage, async (args, streams) => {
    const { values, positionals } = parseCommandArguments({ args, options, allowPositionals: true });
    const [name = '', argument] = positionals;
    const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (subcommand === undefined) throw new UsageError(`Specify ${Object.keys(subcommands).join(', ')}`);
    rejectExtraArguments(positionals, 2);
    rejectForeignOptions(name, values, subcommand);
    const publicUrl = values['public-url'];
    if (publicUrl !== undefined && !URL.canParse(publicUrl)) {
      throw new UsageError('--public-url must be a URL such as https://doors.example.com');
    }
    const database = parseDatabaseOption(values.database);
    const dataDir =
      subcommand.mayCreateFolder === true
        ? ensureBridgeFolder(values.data)
        : requireBridgeFolder(values.data, database);
    const clusterSecret = readClusterSecretOption(values['cluster-secret-file'], database);
    const services = await openBridgeServices({ dataDir, database, clusterSecret, publicUrl });
    try {
      const print = printerFor(streams, values.json === true);
      await subcommand.run({ services, values, argument, dataDir, streams, print });
      return 0;
    } finally {
      await services.close();
    }
  });
