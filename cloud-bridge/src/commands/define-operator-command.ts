import { type CliCommand, type CommandStreams, UsageError } from '@lintel/service/command-line/cli-command';
import { rejectExtraArguments } from '@lintel/service/command-line/command-arguments';
import { describeUnknownSubcommand } from '@lintel/service/command-line/subcommands';
import { openBridgeServices } from '../open-services.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { parseBridgeCommand, withBridgeData } from './bridge-location.ts';
import { requirePublicUrl } from './public-url.ts';
import { defineBridgeCommand } from './define-bridge-command.ts';

const options = {
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
} as const;

type OptionName = keyof typeof options | 'data' | 'database' | 'cluster-secret-file' | 'config' | 'json';
type BooleanOption = 'whitelabel' | 'with-events' | 'yes' | 'force' | 'json';

/** One call of an operator's command, with the services of the bridge. */
export interface OperatorCall {
  readonly services: BridgeServices;
  readonly values: Readonly<Partial<Record<Exclude<OptionName, 'site' | BooleanOption>, string>>> & {
    readonly site?: readonly string[];
  } & Readonly<Partial<Record<BooleanOption, boolean>>>;
  readonly dataDir: string;
  /** The address of the bridge for a link. Throws a BridgeCommandError if it is not known. */
  readonly publicUrl: () => string;
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

const commonOptions: readonly OptionName[] = ['data', 'database', 'cluster-secret-file', 'config', 'json'];

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
    const { values, positionals, locate } = parseBridgeCommand(args, options);
    const [name = '', argument] = positionals;
    const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (subcommand === undefined) throw new UsageError(describeUnknownSubcommand(name, Object.keys(subcommands)));
    rejectExtraArguments(positionals, 2);
    rejectForeignOptions(name, values, subcommand);
    const location = locate(streams);
    const { dataDir } = location;
    return withBridgeData(location, subcommand.mayCreateFolder === true ? 'new' : 'existing', async () => {
      const services = await openBridgeServices(location);
      try {
        const print = printerFor(streams, values.json === true);
        await subcommand.run({
          services,
          values,
          argument,
          dataDir,
          publicUrl: () => requirePublicUrl(location),
          streams,
          print,
        });
        return 0;
      } finally {
        await services.close();
      }
    });
  });
