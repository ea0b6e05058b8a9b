import {
  type CliCommand,
  type CommandEntry,
  createCliCommand,
  type CommandHandler,
  rethrowCommandErrors,
  UsageError,
} from './cli-command.ts';
import { findNearestName } from './nearest-name.ts';

const widest = (entries: readonly CommandEntry[]): number => Math.max(...entries.map(({ name }) => name.length));

export const formatCommandList = (entries: readonly CommandEntry[], width = widest(entries)): string =>
  entries.map(({ name, summary }) => `  ${name.padEnd(width)}   ${summary}`).join('\n');

/** For a word that is none of the subcommands, or missing. */
export const describeUnknownSubcommand = (word: string, known: readonly string[]): string => {
  const nearest = findNearestName(known, word);
  if (word === '') return `Specify ${known.join(', ')}`;
  return `Unknown subcommand "${word}". ${nearest === undefined ? `Specify ${known.join(', ')}` : `Did you mean ${nearest}?`}`;
};

/** A command with subcommands. */
export const createCommandGroup = (name: string, entries: readonly CommandEntry[]): CliCommand => {
  const names = entries.map(entry => entry.name);
  const usage = `${name} SUBCOMMAND [OPTIONS]

${formatCommandList(entries)}

\`${name} SUBCOMMAND --help\` explains a subcommand and its options.
`;
  const findSubcommand = async (subcommand: string | undefined): Promise<CliCommand | undefined> =>
    (await entries.find(entry => entry.name === subcommand)?.load())?.command;
  const run: CommandHandler = async ([subcommand, ...rest], streams) => {
    const command = await findSubcommand(subcommand);
    if (command === undefined)
      throw new UsageError(subcommand === undefined ? '' : describeUnknownSubcommand(subcommand, names));
    return command.run(rest, streams);
  };
  return {
    ...createCliCommand(usage, run, rethrowCommandErrors),
    usageOf: async ([subcommand]) => (await findSubcommand(subcommand))?.usage ?? usage,
  };
};
