import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PrepareProblem } from './prepare-problem.ts';

const MAGIC = '!<arch>\ndebian-binary';

const isDeb = (file: string): boolean => {
  const start = Buffer.alloc(MAGIC.length);
  const handle = openSync(file, 'r');
  try {
    return readSync(handle, start, 0, start.length, 0) === start.length && start.toString('latin1') === MAGIC;
  } finally {
    closeSync(handle);
  }
};

/** Debian's own naming: package, version, architecture. */
const architectureOf = (file: string): string | null => /_([a-z0-9]+)\.deb$/.exec(basename(file))?.[1] ?? null;

/** Throws unless the file is a package for the Pi. */
export const checkDeb = (file: string): void => {
  try {
    if (!isDeb(file)) throw new PrepareProblem(`${file} is no Debian package`);
  } catch (error) {
    if (error instanceof PrepareProblem) throw error;
    throw new PrepareProblem(`${file} cannot be read: ${(error as Error).message}`);
  }
  const architecture = architectureOf(file);
  if (architecture !== 'arm64' && architecture !== 'all')
    throw new PrepareProblem(`${file} is not for the Pi: its name must end in _arm64.deb or _all.deb`);
};

export const checkController = (file: string): void => {
  checkDeb(file);
  if (!basename(file).startsWith('lintel-controller_'))
    throw new PrepareProblem(`${file} is not the controller's package: lintel-controller_VERSION_arm64.deb`);
};

/** Packages that are installed with the controller's own. */
export const debsIn = (folder: string): string[] => {
  let names: string[];
  try {
    if (!statSync(folder).isDirectory()) throw new Error('it is no folder');
    names = readdirSync(folder);
  } catch (error) {
    throw new PrepareProblem(`--packages ${folder} cannot be read: ${(error as Error).message}`);
  }
  const files = names
    .filter(name => name.endsWith('.deb') && !name.startsWith('lintel-controller_'))
    .sort()
    .map(name => join(folder, name));
  if (files.length === 0) throw new PrepareProblem(`--packages ${folder} has no .deb file`);
  for (const file of files) checkDeb(file);
  return files;
};

/** Whether packages of these names are among the files. */
export const lacking = (wanted: readonly string[], files: readonly string[]): string[] =>
  wanted.filter(name => !files.some(file => basename(file).startsWith(`${name}_`)));
