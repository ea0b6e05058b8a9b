import type { Readable } from 'node:stream';

export interface CommandWriter {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** What a command reads and writes. Tests run commands in process with streams of their own. */
export interface CommandStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: CommandWriter;
  readonly stderr: CommandWriter;
}

/** What `lintel NAME …` calls: a part's entry and the text that explains it. */
export interface Command {
  readonly usage: string;
  /** Of what the arguments name, for a command that is several. */
  usageOf?(args: readonly string[]): Promise<string>;
  /** Resolves to the exit code: 0 done, 1 failed, 2 usage error. `streams` are those of the process by default. */
  run(args: readonly string[], streams?: CommandStreams): Promise<number>;
}

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** A part is loaded only when its command is called, so that `--help` answers at once. */
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** A call that cannot be understood: the message says what is wrong, the usage what is right. Empty for the usage alone. */
export class UsageError extends Error {}

/** What is said of a failure; null for one that was not foreseen, which ends the process with its trace. */
type FailureInWords = (error: unknown) => string | null;

const itsMessage: FailureInWords = error => (error as Error).message;

export const unforeseen: FailureInWords = () => null;

export type RunCommand = (args: readonly string[], streams: CommandStreams) => Promise<number>;

/** Exits with 2 and the usage after a usage error, and with 1 and a sentence after a failure. */
export const commandOf = (usage: string, run: RunCommand, inWords = itsMessage): Command => ({
  usage,
  run: async (args, streams = process) => {
    try {
      return await run(args, streams);
    } catch (error) {
      if (error instanceof UsageError) {
        streams.stderr.write(error.message === '' ? usage : `${error.message}\n\n${usage}`);
        return 2;
      }
      const words = inWords(error);
      if (words === null) throw error;
      streams.stderr.write(`${words}\n`);
      return 1;
    }
  },
});
