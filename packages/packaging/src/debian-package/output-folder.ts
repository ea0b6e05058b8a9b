import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';

/** One by one, because a recursive call of Node never ends below /proc. */
const makeFolders = (folder: string): void => {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  mkdirSync(folder);
};

/** Creates the folder of `--out` if it is missing. Throws when no file can be written there. */
export const ensureOutputFolder = (folder: string): void => {
  const probe = join(folder, `.lintel-${process.pid}.try`);
  try {
    makeFolders(resolve(folder));
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`--out: ${describeSystemError({ code, message, path: folder })}`, { cause: error });
  }
};
