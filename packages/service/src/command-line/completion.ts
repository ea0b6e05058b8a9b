import { type CliCommand, createCliCommand, rethrowCommandErrors, UsageError } from './cli-command.ts';
import { rejectExtraArguments } from './command-arguments.ts';
import type { CommandLineProgram } from './run-command-line.ts';

const shells = ['bash', 'zsh'] as const;

const usage = `lintel completion bash
lintel completion zsh

Prints a script that completes commands, subcommands and options in the shell.

  source <(npx lintel completion bash)    in ~/.bashrc
  source <(npx lintel completion zsh)     in ~/.zshrc
`;

const unique = (words: Iterable<string>): string[] => [...new Set(words)].sort();

const optionsIn = (text: string): string[] => unique([...(text.match(/--[a-z][a-z-]*/g) ?? []), '--help']);

/** From lines such as `lintel rules check FILE`, `lintel keys list|rotate` and `  door   a door in the terminal`. */
const subcommandsIn = (program: string, name: string, text: string): string[] => {
  const calls = Array.from(
    text.matchAll(new RegExp(`^${program} ${name} (.+?)(?= --| \\[|$)`, 'gm')),
    ([, words]) => words!,
  );
  const named = calls.flatMap(words => words.split('|').flatMap(word => /^[a-z][a-z-]*/.exec(word)?.[0] ?? []));
  const listed = text.includes('SUBCOMMAND')
    ? Array.from(text.matchAll(/^ {2}([a-z]+) {3}/gm), ([, word]) => word!)
    : [];
  return unique([...named, ...listed]);
};

/** The words that can follow the words of each key. */
const listCompletions = async ({ name: program, parts }: CommandLineProgram): Promise<Map<string, string[]>> => {
  const entries = parts.flatMap(part => part.entries);
  const completions = new Map([['', [...entries.map(({ name }) => name), '--help', '--version']]]);
  for (const { name, load } of entries) {
    const { command } = await load();
    const subcommands = subcommandsIn(program, name, command.usage);
    completions.set(name, [...subcommands, ...optionsIn(command.usage)]);
    for (const subcommand of command.usageOf === undefined ? [] : subcommands)
      completions.set(`${name} ${subcommand}`, optionsIn(await command.usageOf!([subcommand])));
  }
  return completions;
};

/** The longest key first, because the first match counts. */
const createScript = (program: string, completions: ReadonlyMap<string, readonly string[]>): string => {
  const cases = [...completions]
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([key, words]) => `    ${key === '' ? '*' : `'${key}'*`}) words='${words.join(' ')}' ;;`);
  return `_${program}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[*]:1:$((COMP_CWORD - 1))}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _${program} ${program}
`;
};

/** A zsh without a configuration has no completion yet. */
const zshPreparation = `(( $+functions[compdef] )) || { autoload -U compinit && compinit }
autoload -U bashcompinit && bashcompinit
`;

/** `lintel completion`. */
export const createCompletionCommand = (program: CommandLineProgram): CliCommand =>
  createCliCommand(
    usage,
    async ([shell, ...rest], { stdout }) => {
      rejectExtraArguments(rest, 0);
      if (!shells.some(one => one === shell)) throw new UsageError(`Specify ${shells.join(' or ')}`);
      const script = createScript(program.name, await listCompletions(program));
      stdout.write(shell === 'zsh' ? `${zshPreparation}${script}` : script);
      return 0;
    },
    rethrowCommandErrors,
  );
