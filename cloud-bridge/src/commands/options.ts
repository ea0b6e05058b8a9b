import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** A call that cannot be understood: the message says what is wrong, the command's usage what is right. */
export class UsageError extends Error {}

export const parseOptions = <T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

export const required = (value: string | undefined, name: string): string => {
  if (value === undefined || value === '')
    throw new UsageError(`${name === name.toUpperCase() ? name : `--${name}`} is needed`);
  return value;
};

export const portNumber = (value: string | undefined, name: string): number => {
  const port = Number(required(value, name));
  if (!/^\d+$/.test(value ?? '') || port > 65_535) throw new UsageError(`--${name} must be a port from 0 to 65535`);
  return port;
};

/** A command that answers 2 with its usage when it is called wrongly. */
export const commandOf = (usage: string, run: (args: readonly string[]) => Promise<number>) => ({
  usage,
  run: async (args: readonly string[]): Promise<number> => {
    try {
      return await run(args);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      process.stderr.write(`${error.message}\n\n${usage}`);
      return 2;
    }
  },
});
