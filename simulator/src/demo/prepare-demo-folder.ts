import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolderError, readDataFolderKind, lockDataFolder } from '@lintel/service/data-folder/data-folder';

const demoFiles: readonly string[] = [
  'bridge',
  'gateway',
  'front',
  'corridor',
  'logs',
  'simulator.json',
  'running.json',
];

const otherFilesIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter(name => !demoFiles.includes(name));

/** Before the first run, files such as `logs` in a folder with other files may belong to another program. */
const rejectForeignFolder = (folder: string): void => {
  if (!existsSync(folder) || readDataFolderKind(folder) !== null) return;
  const [otherFile] = otherFilesIn(folder);
  const deleted = demoFiles.filter(name => existsSync(join(folder, name)));
  if (otherFile === undefined || deleted.length === 0) return;
  throw new DataFolderError(
    `Not a demo folder: ${folder} (it contains ${otherFile}). --fresh would delete ${deleted.join(', ')} there. Choose another folder with --data.`,
  );
};

/**
 * Locks the folder for this process. `fresh` deletes the demo's files. Throws a DataFolderError, without a change, for a
 * folder of another program.
 */
export const lockAndPrepareDemoFolder = (folder: string, fresh: boolean, print: (line: string) => void): void => {
  if (fresh) rejectForeignFolder(folder);
  lockDataFolder(folder, 'demonstration', (_level, message) => print(`${folder}: ${message}`));
  if (!fresh) return;
  for (const name of demoFiles) rmSync(join(folder, name), { recursive: true, force: true });
};
