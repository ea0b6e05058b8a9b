import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type DebFacts, readDeb } from '../debian-package/read-deb.ts';
import { PrepareProblem } from './prepare-problem.ts';

const readChecked = async (file: string): Promise<DebFacts | null> => {
  try {
    return await readDeb(file);
  } catch (error) {
    throw new PrepareProblem((error as Error).message);
  }
};

/** Debian's own naming: package, version, architecture. */
const factsByName = (file: string): Omit<DebFacts, 'version'> => {
  const [, name, architecture] = /^([^_]+)_.*_([a-z0-9]+)\.deb$/.exec(basename(file)) ?? [];
  if (name === undefined || architecture === undefined)
    throw new PrepareProblem(`${file} must be called NAME_VERSION_ARCHITECTURE.deb, as Debian calls its packages`);
  return { name, architecture };
};

/** The first boot finds packages by their names: what is inside must be the same. */
const checkDeb = async (file: string): Promise<void> => {
  const inside = await readChecked(file);
  const { name, architecture } = factsByName(file);
  if (inside !== null && (inside.name !== name || inside.architecture !== architecture))
    throw new PrepareProblem(`${file} is ${inside.name} for ${inside.architecture}, and not what it is called`);
  if (architecture !== 'arm64' && architecture !== 'all')
    throw new PrepareProblem(`${file} is for ${architecture} and not for the Pi: one for arm64 is needed`);
};

/** Throws unless the file is a whole package of the controller for the Pi. */
export const checkController = async (file: string): Promise<void> => {
  await checkDeb(file);
  if (factsByName(file).name !== 'lintel-controller')
    throw new PrepareProblem(`${file} is not the controller's package: lintel-controller_VERSION_arm64.deb`);
};

/** Packages that are installed with the controller's own. */
export const debsIn = async (folder: string): Promise<string[]> => {
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
  for (const file of files) await checkDeb(file);
  return files;
};

/** Whether packages of these names are among the files. */
export const lacking = (wanted: readonly string[], files: readonly string[]): string[] =>
  wanted.filter(name => !files.some(file => basename(file).startsWith(`${name}_`)));
