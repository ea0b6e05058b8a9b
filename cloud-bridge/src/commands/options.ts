import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { FolderRefusal, requireFolderOf } from '@lintel/device-link/data-folder/data-folder';

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

/** Of a bridge that has run, or was seeded: a mistyped name must not make another. With `database`, that tells. */
export const folderOfBridge = (value: string | undefined, database: string | undefined): string => {
  const folder = required(value, 'data');
  if (database !== undefined) return folder;
  try {
    requireFolderOf(folder, 'bridge');
  } catch (error) {
    throw error instanceof FolderRefusal ? new UsageError(`--data: ${error.message}`) : error;
  }
  return folder;
};

/** What stands in the way on this machine: the message is all that there is to say. */
export class CannotStart extends Error {}

/** In the words of whoever chose the port, where it is the port that does not do. */
export const portProblem = (error: unknown): CannotStart | null => {
  const { code, address, port } = error as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly port?: number;
  };
  const place = `${address ?? ''}:${port ?? ''}`;
  if (code === 'EADDRINUSE') return new CannotStart(`${place} is in use: another process listens there.`);
  if (code === 'EACCES') return new CannotStart(`${place} is not allowed: low ports are for root.`);
  if (code === 'EADDRNOTAVAIL') return new CannotStart(`${place} is no address of this machine.`);
  return null;
};

/** A command that answers 2 with its usage when it is called wrongly, and 1 with a sentence when it cannot be. */
export const commandOf = (usage: string, run: (args: readonly string[]) => Promise<number>) => ({
  usage,
  run: async (args: readonly string[]): Promise<number> => {
    try {
      return await run(args);
    } catch (error) {
      if (error instanceof CannotStart || error instanceof FolderRefusal) {
        process.stderr.write(`${error.message}\n`);
        return 1;
      }
      if (!(error instanceof UsageError)) throw error;
      process.stderr.write(`${error.message}\n\n${usage}`);
      return 2;
    }
  },
});
