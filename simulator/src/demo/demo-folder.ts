import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderError, kindOf, takeFolder } from '@lintel/service/data-folder/data-folder';

const made: readonly string[] = ['bridge', 'gateway', 'front', 'corridor', 'logs', 'simulator.json', 'running.json'];

/** What was there before any demonstration, and is no part of one. */
const strangersIn = (folder: string): readonly string[] => readdirSync(folder).filter(name => !made.includes(name));

/** A folder with other things in it may have `logs` of its own, until a demonstration has run there. */
const refuseStrangers = (folder: string): void => {
  if (!existsSync(folder) || kindOf(folder) !== null) return;
  const [stranger] = strangersIn(folder);
  const meant = made.filter(name => existsSync(join(folder, name)));
  if (stranger === undefined || meant.length === 0) return;
  throw new DataFolderError(
    `${folder} is not the data folder of a demonstration (it has ${stranger}): --fresh removes no ${meant.join(', ')} there`,
  );
};

/**
 * For this process alone until it ends, and as empty as `fresh` asks for. Throws a DataFolderError before anything is
 * written or removed where it is not for a demonstration.
 */
export const takeDemoFolder = (folder: string, fresh: boolean, say: (line: string) => void): void => {
  if (fresh) refuseStrangers(folder);
  takeFolder(folder, 'demonstration', (_level, message) => say(`${folder}: ${message}`));
  if (!fresh) return;
  for (const name of made) rmSync(join(folder, name), { recursive: true, force: true });
};
