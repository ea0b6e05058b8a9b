import type { Readable } from 'node:stream';
import { describeSystemError } from './describe-system-error.ts';

export interface CommandWriter {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Standard streams of a command. Tests pass their own. */
export interface CommandStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: CommandWriter;
  readonly stderr: CommandWriter;
}

/** The implementation of `lintel NAME …` and its help text. */
export interface CliCommand {
  readonly usage: string;
  /** The help text of the subcommand that the arguments name. */
  usageOf?(args: readonly string[]): Promise<string>;
  /** Options that the environment can contain as well. */
  readonly variables?: object;
  /** The command reports mistyped variables in its log. */
  readonly logsVariables?: boolean;
  /** Resolves to the exit code: 0 done, 1 failed, 2 usage error. `streams` are those of the process by default. */
  run(args: readonly string[], streams?: CommandStreams): Promise<number>;
}

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loads the implementation only when the command is called, so that `--help` is fast. */
  readonly load: () => Promise<{ readonly command: CliCommand }>;
}

/** Invalid arguments. Printed with the command that shows the usage. With an empty message, only the usage is printed. */
export class UsageError extends Error {}

/** The text to print for an error. Null rethrows it, which ends the process with a stack trace. */
type DescribeError = (error: unknown) => string | null;

export const rethrowCommandErrors: DescribeError = () => null;

export type CommandHandler = (args: readonly string[], streams: CommandStreams) => Promise<number>;

/** The first words of the usage are the command, such as `lintel user`. */
const helpHint = (usage: string): string => {
  const command = /^[a-z-]+(?: [a-z-]+)?/.exec(usage)?.[0];
  return command === undefined ? '' : `\`${command} --help\` explains it.\n`;
};

/** Exits with 2 and the problem after a usage error, with 1 and a message after any other error. */
export const createCliCommand = (
  usage: string,
  run: CommandHandler,
  describeError: DescribeError = error => describeSystemError(error),
): CliCommand => ({
  usage,
  run: async (args, streams = process) => {
    try {
      return await run(args, streams);
    } catch (error) {
      if (error instanceof UsageError) {
        streams.stderr.write(error.message === '' ? usage : `${error.message}\n${helpHint(usage)}`);
        return 2;
      }
      const message = describeError(error);
      if (message === null) throw error;
      streams.stderr.write(`${message}\n`);
      return 1;
    }
  },
});
