import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** In a release, this folder contains only the built files. */
const consoleDir = join(import.meta.dirname, '../../../console');
export const consoleDistDir = join(consoleDir, 'dist');

const modifiedAt = (file: string): number => statSync(file).mtimeMs;

/** In a checkout, the sources can be newer than the built file. */
const isOutdated = (built: string): boolean => {
  const sources = globSync(['*.ts', 'src/**/*'], { cwd: consoleDir }).map(name => join(consoleDir, name));
  if (sources.length === 0) return false;
  return !existsSync(built) || Math.max(...sources.map(modifiedAt)) > modifiedAt(built);
};

/** Reads a page of the console, and builds it first if its sources are newer. */
export const readConsolePage = async (name: string): Promise<string> => {
  const built = join(consoleDistDir, name);
  if (isOutdated(built)) await promisify(execFile)(process.execPath, ['build.ts'], { cwd: consoleDir });
  return readFileSync(built, 'utf8');
};
