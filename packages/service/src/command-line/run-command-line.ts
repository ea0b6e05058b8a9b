import type { CommandEntry, CommandStreams } from './cli-command.ts';
import { findMistypedVariables } from './environment-variables.ts';
import { formatCommandList } from './subcommands.ts';

export interface CommandLineProgram {
  readonly name: string;
  readonly headline: string;
  readonly version: () => string;
  readonly parts: ReadonlyArray<{ readonly title: string; readonly entries: readonly CommandEntry[] }>;
}

const overview = ({ name, headline, parts }: CommandLineProgram): string => {
  const width = Math.max(...parts.flatMap(part => part.entries).map(entry => entry.name.length));
  const sections = parts.map(({ title, entries }) => `${title}\n${formatCommandList(entries, width)}`);
  return `${name}: ${headline}

Usage: ${name} COMMAND [OPTIONS]

${sections.join('\n\n')}

\`${name} COMMAND --help\` explains one command with its options and an example. \`${name} --version\` prints the version.
Commands with results accept --json: one JSON document on stdout, logs on stderr.
Exit codes: 0 done, 1 failed, 2 usage error.
`;
};

const commonPrefixLength = (one: string, other: string): number => {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
};

/** The commands with the longest common beginning, of two letters or more, and those that contain the word. */
const similarNames = (names: readonly string[], word: string): string[] => {
  const longest = Math.max(2, ...names.map(name => commonPrefixLength(name, word)));
  return names.filter(name => commonPrefixLength(name, word) === longest || name.includes(word));
};

/** Returns the exit code. */
export const runCommandLine = async (
  program: CommandLineProgram,
  args: readonly string[],
  streams: CommandStreams = process,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<number> => {
  const [first, ...rest] = args[0] === 'help' ? [...args.slice(1, 2), '--help'] : args;
  if (first === undefined || first === '--help' || first === '-h') {
    streams.stdout.write(overview(program));
    return first === undefined ? 2 : 0;
  }
  if (first === '--version' || first === '-V') {
    streams.stdout.write(`${program.version()}\n`);
    return 0;
  }
  const entries = program.parts.flatMap(part => part.entries);
  const entry = entries.find(({ name }) => name === first);
  if (entry === undefined) {
    const names = entries.map(({ name }) => name);
    const similar = similarNames(names, first);
    const hint = similar.length > 0 ? `Did you mean ${similar.join(' or ')}?` : `See ${program.name} --help.`;
    streams.stderr.write(`${program.name}: Unknown command "${first}". ${hint}\n`);
    return 2;
  }
  const { command } = await entry.load();
  if (rest.includes('--help') || rest.includes('-h')) {
    streams.stdout.write((await command.usageOf?.(rest)) ?? command.usage);
    return 0;
  }
  if (command.logsVariables !== true)
    for (const { variable, meant } of findMistypedVariables(command.variables ?? {}, environment))
      streams.stderr.write(`${variable} is not a variable of ${program.name}. Did you mean ${meant}?\n`);
  return command.run(rest, streams);
};
