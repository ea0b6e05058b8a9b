import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readDebControlFields } from '../debian-package/read-deb-package.ts';
import { SdCardPreparationError } from './sd-card-preparation-error.ts';

/** The first boot finds packages by their file names, so these must match the contents. Returns the package name. */
const checkDeb = async (file: string): Promise<string> => {
  const inside = await readDebControlFields(file);
  const [, name, architecture] = /^([^_]+)_.*_([a-z0-9]+)\.deb$/.exec(basename(file)) ?? [];
  if (name === undefined || architecture === undefined)
    throw new SdCardPreparationError(
      `${file} must be called NAME_VERSION_ARCHITECTURE.deb, as Debian calls its packages`,
    );
  if (inside !== null && (inside.name !== name || inside.architecture !== architecture))
    throw new SdCardPreparationError(`${file} is ${inside.name} for ${inside.architecture}, and not what it is called`);
  if (architecture !== 'arm64' && architecture !== 'all')
    throw new SdCardPreparationError(
      `${file} is for ${architecture}, but a Raspberry Pi requires arm64. Build it with lintel image package --arch arm64`,
    );
  return name;
};

export const requireControllerPackage = async (file: string): Promise<void> => {
  if ((await checkDeb(file)) !== 'lintel-controller')
    throw new SdCardPreparationError(`${file} is not the controller's package: lintel-controller_VERSION_arm64.deb`);
};

const readNames = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new SdCardPreparationError(`--packages ${folder} cannot be read: ${(error as Error).message}`);
  }
};

/** Packages that are installed with the controller's package. */
export const listExtraDebFiles = async (folder: string): Promise<string[]> => {
  const files = readNames(folder)
    .filter(name => name.endsWith('.deb') && !name.startsWith('lintel-controller_'))
    .toSorted()
    .map(name => join(folder, name));
  if (files.length === 0) throw new SdCardPreparationError(`--packages ${folder} has no .deb file`);
  for (const file of files) await checkDeb(file);
  return files;
};

/** The names of which there is no package among the files. */
export const listMissingDebNames = (wanted: readonly string[], files: readonly string[]): string[] =>
  wanted.filter(name => !files.some(file => basename(file).startsWith(`${name}_`)));
