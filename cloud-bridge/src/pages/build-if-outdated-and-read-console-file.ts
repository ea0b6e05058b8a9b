import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** In an installed package. */
const packagedPages = join(import.meta.dirname, './');
const isPackaged = existsSync(join(packagedPages, 'admin.html'));
const consoleDir = join(import.meta.dirname, '../../../console');
export const consolePagesDir = isPackaged ? packagedPages : join(consoleDir, 'dist');

const modifiedAt = (file: string): number => statSync(file).mtimeMs;

/** In a checkout, the sources can be newer than the built file. */
const isOutdated = (built: string): boolean => {
  if (isPackaged) return false;
  const sources = globSync(['*.ts', 'src/**/*'], { cwd: consoleDir }).map(name => join(consoleDir, name));
  return !existsSync(built) || Math.max(...sources.map(modifiedAt)) > modifiedAt(built);
};

let building: Promise<unknown> | null = null;

/** One build makes all pages, so requests for several pages wait for the same build. */
const buildPages = (): Promise<unknown> => {
  building ??= promisify(execFile)(process.execPath, ['build.ts'], { cwd: consoleDir }).finally(() => {
    building = null;
  });
  return building;
};

/** Reads a file of the console, and builds it first if its sources are newer. */
export const buildIfOutdatedAndReadConsoleFile = async (name: string): Promise<Buffer> => {
  const built = join(consolePagesDir, name);
  if (isOutdated(built)) await buildPages();
  return readFileSync(built);
};

export const readUpToDateConsolePage = async (name: string): Promise<string> =>
  (await buildIfOutdatedAndReadConsoleFile(name)).toString('utf8');
