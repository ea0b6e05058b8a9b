import { type Command, commandOf, type RunCommand, UsageError } from '@lintel/service/command-line/command';
import { required } from '@lintel/service/command-line/options';
import { DataFolderError, requireFolderOf } from '@lintel/service/data-folder/data-folder';

/** Of a bridge that has run, or was seeded: a mistyped name must not make another. With `database`, that tells. */
export const folderOfBridge = (value: string | undefined, database: string | undefined): string => {
  const folder = required(value, 'data');
  if (database !== undefined) return folder;
  try {
    requireFolderOf(folder, 'bridge');
  } catch (error) {
    throw error instanceof DataFolderError ? new UsageError(`--data: ${error.message}`) : error;
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

const inWords = (error: unknown): string | null =>
  error instanceof CannotStart || error instanceof DataFolderError ? error.message : null;

export const bridgeCommand = (usage: string, run: RunCommand): Command => commandOf(usage, run, inWords);
