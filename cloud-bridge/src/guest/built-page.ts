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

/** One of the console's pages as one file, built first where that is possible and needed. */
export const readBuiltPage = async (name: string): Promise<string> => {
  const built = join(consoleDir, 'dist', name);
  if (isOutdated(built)) await promisify(execFile)(process.execPath, ['build.ts'], { cwd: consoleDir });
  return readFileSync(built, 'utf8');
};
