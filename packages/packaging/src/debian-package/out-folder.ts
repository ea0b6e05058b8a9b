import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** One by one: a recursive call of Node never ends below a folder that takes none, such as /proc. */
const makeFolders = (folder: string): void => {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  mkdirSync(folder);
};

/** Makes the folder of `--out` where it is missing. Throws at once where no file can be put into it. */
export const openOutFolder = (folder: string): void => {
  const probe = join(folder, `.lintel-${process.pid}.try`);
  try {
    makeFolders(resolve(folder));
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new Error(`--out ${folder} is no folder that can be written: ${(error as Error).message}`, { cause: error });
  }
};
