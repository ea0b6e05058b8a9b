import {
  type CliCommand,
  type CommandEntry,
  createCliCommand,
  type CommandHandler,
  rethrowCommandErrors,
  UsageError,
} from './cli-command.ts';

const widest = (entries: readonly CommandEntry[]): number => Math.max(...entries.map(({ name }) => name.length));

export const formatCommandList = (entries: readonly CommandEntry[], width = widest(entries)): string =>
  entries.map(({ name, summary }) => `  ${name.padEnd(width)}   ${summary}`).join('\n');

/** A command with subcommands. `describeUnknown` returns the message for an unknown subcommand. */
export const createCommandGroup = (
  name: string,
  entries: readonly CommandEntry[],
  describeUnknown: (name: string) => string,
): CliCommand => {
  const usage = `${name} SUBCOMMAND [OPTIONS]

${formatCommandList(entries)}

\`${name} SUBCOMMAND --help\` explains a subcommand and its options.
`;
  const findSubcommand = async (subcommand: string | undefined): Promise<CliCommand | undefined> =>
    (await entries.find(entry => entry.name === subcommand)?.load())?.command;
  const run: CommandHandler = async ([subcommand, ...rest], streams) => {
    const command = await findSubcommand(subcommand);
    if (command === undefined) throw new UsageError(subcommand === undefined ? '' : describeUnknown(subcommand));
    return command.run(rest, streams);
  };
  return {
    ...createCliCommand(usage, run, rethrowCommandErrors),
    usageOf: async ([subcommand]) => (await findSubcommand(subcommand))?.usage ?? usage,
  };
};
