import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The room of the web pages. A package may hold its built files alone. */
const consoleDir = join(import.meta.dirname, '../../../console');

const changedAt = (file: string): number => statSync(file).mtimeMs;

/** In a checkout the sources lie beside the built file and may be newer. */
const isOutdated = (built: string): boolean => {
  const sources = globSync(['build.ts', 'src/**/*'], { cwd: consoleDir }).map(name => join(consoleDir, name));
  if (sources.length === 0) return false;
  return !existsSync(built) || Math.max(...sources.map(changedAt)) > changedAt(built);
};

const read = async (name: string): Promise<string> => {
  const built = join(consoleDir, 'dist', name);
  if (isOutdated(built)) await promisify(execFile)(process.execPath, ['build.ts'], { cwd: consoleDir });
  return readFileSync(built, 'utf8');
};

const pages = new Map<string, string>();

/** A page of the console as one file. Checked against the sources, and built if needed, once per process. */
export const readBuiltPage = async (name: string): Promise<string> => {
  const page = pages.get(name) ?? (await read(name));
  pages.set(name, page);
  return page;
};
