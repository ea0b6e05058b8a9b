import { type Command, type CommandEntry, commandOf, type RunCommand, unforeseen, UsageError } from './command.ts';

const widest = (entries: readonly CommandEntry[]): number => Math.max(...entries.map(({ name }) => name.length));

/** A line for each, with its summary. */
export const listed = (entries: readonly CommandEntry[], width = widest(entries)): string =>
  entries.map(({ name, summary }) => `  ${name.padEnd(width)}   ${summary}`).join('\n');

/** A command whose next word says which of several is meant; `unknown` is what is said of any other word. */
export const commandOfSeveral = (
  name: string,
  entries: readonly CommandEntry[],
  unknown: (word: string) => string,
): Command => {
  const usage = `${name} WHAT [OPTIONS]

${listed(entries)}

\`${name} WHAT --help\` explains one of them with its options.
`;
  const meant = async (word: string | undefined): Promise<Command | undefined> =>
    (await entries.find(entry => entry.name === word)?.load())?.command;
  const run: RunCommand = async ([word, ...rest], streams) => {
    const command = await meant(word);
    if (command === undefined) throw new UsageError(word === undefined ? '' : unknown(word));
    return command.run(rest, streams);
  };
  return { ...commandOf(usage, run, unforeseen), usageOf: async ([word]) => (await meant(word))?.usage ?? usage };
};
